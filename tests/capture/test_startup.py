"""The user's own code before the program begins."""

import sys

import pytest

from stetho.capture.startup import call_startup
from stetho.errors import UsageError


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Writes a module of the user's into a folder that is not on the path."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(tmp_path)

    def write(text, name="my_setup"):
        (folder / f"{name}.py").write_text(text)
        monkeypatch.delitem(sys.modules, name, raising=False)
        return [str(folder / "train.py")]

    yield write
    sys.modules.pop("my_setup", None)


def test_finds_a_module_beside_the_program_and_gives_what_it_returns(module):
    command = module("def prepare():\n    return 'ready'")
    before = list(sys.path)
    assert call_startup("my_setup:prepare", command) == "ready"
    assert sys.path == before


def test_finds_a_module_in_the_working_folder(module, tmp_path, monkeypatch):
    module("def prepare():\n    return 1")
    monkeypatch.chdir(tmp_path / "project")
    assert call_startup("my_setup:prepare", ["-m", "package"]) == 1


@pytest.mark.parametrize("place", ["my_setup:missing", "no_such_module:prepare"])
def test_what_cannot_be_found_is_a_mistake_of_usage(module, place):
    command = module("def prepare(): pass")
    before = list(sys.path)
    with pytest.raises(UsageError, match=f"--startup: `{place}` cannot be loaded .*; give module:function"):
        call_startup(place, command)
    assert sys.path == before


def test_an_error_of_the_function_is_the_users(module):
    command = module("def prepare():\n    raise KeyError('mine')")
    with pytest.raises(KeyError, match="mine"):
        call_startup("my_setup:prepare", command)
