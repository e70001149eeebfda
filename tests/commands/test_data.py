"""`stetho data` from the command line."""

import json

import pytest

from stetho.__main__ import main
from stetho.store.writer import RunWriter

PROGRAM = """
import torch
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __init__(self, bad=()): self.bad = bad
    def __len__(self): return 9
    def __getitem__(self, index):
        if index in self.bad:
            raise OSError(f"file {index} is broken")
        return torch.full((8, 8), float(index)), index % 2

loader = DataLoader(Rows(), batch_size=3)
broken = DataLoader(Rows({4, 6}), batch_size=3)
number = 3
def spell(ids): return " ".join("abcdefghi"[each] for each in ids)
def needs(size): return loader
def tokens(): return [torch.tensor([1, 2]), torch.tensor([3, 4])]
"""


@pytest.fixture(autouse=True)
def program(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "feed.py").write_text(PROGRAM)


def test_prints_what_was_found(capsys):
    assert main(["data", "feed.py:loader"]) == 0
    shown = capsys.readouterr().out
    assert "DataLoader over Rows · 9 of 9 samples" in shown
    assert "Rows.__getitem__" in shown


def test_a_bad_sample_is_named_with_its_line_and_sets_the_exit_status(capsys):
    assert main(["data", "feed.py:broken"]) == 1
    shown = capsys.readouterr().out
    assert "sample 4 (the 5th of the epoch) cannot be made: OSError: file 4 is broken" in shown
    assert "feed.py:10 in __getitem__" in shown


def test_going_on_collects_all_of_them(capsys):
    assert main(["data", "feed.py:broken", "--keep-going"]) == 1
    assert "sample 6 (the 7th of the epoch) cannot be made" in capsys.readouterr().out


def test_compares_with_another_split(capsys):
    assert main(["data", "feed.py:loader", "--against", "feed.py:Rows"]) == 0
    assert "9 samples of feed.py:Rows (100%) are in feed.py:loader too" in capsys.readouterr().out


def test_writes_a_page_and_json(capsys, tmp_path):
    assert main(["data", "feed.py:loader", "-o", "data.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["samples"] == 9
    assert "data:image/png;base64" in (tmp_path / "data.html").read_text()


def test_a_program_alone_is_run_up_to_its_loader(capsys, tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM + "\nfor batch in loader:\n    raise SystemError('training')\n")
    assert main(["data", "train.py --epochs 3"]) == 0
    assert "train.py:loader · DataLoader over Rows · 9 of 9" in capsys.readouterr().out


def test_a_recorded_run_stands_for_its_program(capsys, tmp_path, monkeypatch):
    (tmp_path / "train.py").write_text(PROGRAM + "\nfor batch in loader:\n    raise SystemError('training')\n")
    run = RunWriter.create(tmp_path / "runs", "train", {"command": ["train.py"], "cwd": str(tmp_path)})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert main(["data", str(run.path), "-o", "data.html"]) == 0
    assert "DataLoader over Rows · 9 of 9" in capsys.readouterr().out
    assert (tmp_path / "elsewhere" / "data.html").is_file()


def test_decodes_tokens_on_the_page(capsys, tmp_path):
    assert main(["data", "feed.py:tokens", "--decode", "feed.py:spell", "-o", "data.html"]) == 0
    assert "b c" in (tmp_path / "data.html").read_text()
    assert "page: data.html" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["feed.py:loadr"], "loader"),
        (["feed.py"], "used no DataLoader"),
        (["feed"], "names no loader"),
        (["missing.py:loader"], "no such file"),
        (["feed.py:number"], "no samples to step through"),
        (["feed.py:needs"], "arguments"),
        (["feed.py:loader", "--samples", "0"], "less than 1"),
        (["feed.py:loader", "-o", "data.txt"], "does not end in .html"),
        (["feed.py:loader", "-o", "nowhere/data.html"], "no folder"),
        (["feed.py:loader", "--against", "feed.py:number"], "no samples to step through"),
    ],
)
def test_bad_input_is_one_clear_error(words, message, capsys):
    assert main(["data", *words]) == 2
    told = capsys.readouterr()
    assert message in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
