"""Tests of programs: their loader is found, and they do not train for it."""

import sys

import pytest
from torch.utils.data import DataLoader

from stetho.capture.launch import Program
from stetho.errors import UsageError
from stetho.pipeline.torch.programs import first_loader, load_without_training

FLAT = """
import sys
from torch.utils.data import DataLoader
mean = sum(DataLoader([1.0, 2.0]))
train_loader = DataLoader([1, 2, 3], batch_size=int(sys.argv[1]) if len(sys.argv) > 1 else 1)
def make(): return train_loader
for batch in train_loader:
    raise SystemError("this is the training")
"""

GUARDED = """
from torch.utils.data import DataLoader
def main():
    loader = DataLoader(["a", "b"])
    for batch in loader:
        raise SystemError("this is the training")
if __name__ == "__main__":
    main()
"""


def write(folder, text):
    file = folder / "flat_or_guarded.py"
    file.write_text(text)
    return str(file)


@pytest.fixture(autouse=True)
def forgotten():
    yield
    sys.modules.pop("flat_or_guarded", None)


def test_a_program_is_left_at_the_first_loader_that_it_uses(tmp_path):
    file, main, hook, begin = write(tmp_path, GUARDED), sys.modules["__main__"], sys.excepthook, DataLoader.__iter__
    loader, name = first_loader(Program(file))
    assert (list(loader), name) == ([["a"], ["b"]], f"{file}:loader")
    assert (sys.modules["__main__"], sys.excepthook, DataLoader.__iter__) == (main, hook, begin)


def test_a_file_that_trains_when_it_is_imported_is_left_in_time(tmp_path):
    file = write(tmp_path, FLAT)
    assert len(load_without_training(f"{file}:train_loader").dataset) == 3


def test_a_function_in_such_a_file_is_found_too(tmp_path):
    assert callable(load_without_training(f"{write(tmp_path, FLAT)}:make"))


def test_other_names_are_loaded_as_always():
    assert load_without_training("math:pi") > 3
    with pytest.raises(UsageError, match="no module"):
        load_without_training("nowhere_at_all:pi")


@pytest.mark.parametrize(("text", "message"), [("x = 1", "used no DataLoader"), ("x = 1 / 0", "ZeroDivisionError")])
def test_a_program_without_a_loader_is_one_clear_error(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        first_loader(Program(write(tmp_path, text)))
