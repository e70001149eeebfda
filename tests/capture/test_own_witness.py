"""Programs under `stetho.watch` that die: the run tells where."""

import faulthandler
import os
import subprocess
import sys
from io import StringIO

import stetho
from stetho.capture.own_witness import OwnWitness
from stetho.store.format import LAST_WORDS_FILE
from stetho.views.last_words import print_last_words

PROGRAM = """
import ctypes, torch, stetho

class Breaking(torch.nn.Module):
    def forward(self, x):
        if broken:
            ctypes.string_at(0)
        return x

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(2, 2), Breaking()

    def forward(self, x):
        x = self.first(x)
        return self.second(x)

broken, model = False, Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
with stetho.watch(model, optimizer, quiet=True):
    for step in range(9):
        broken = step == 7
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
"""


def test_a_crash_is_told_with_its_step_and_layer(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM)
    done = subprocess.run([sys.executable, "train.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode < 0
    run, told = stetho.open_run(tmp_path / "stetho-runs"), StringIO()
    print_last_words(run, told)
    assert "Segmentation fault after step 7, in layer `second`" in " ".join(told.getvalue().split())
    assert [crash["step"] for crash in run.crashes] == [7]


def test_a_program_that_has_its_own_way_to_die_keeps_it(tmp_path):
    assert faulthandler.is_enabled()  # by pytest
    witness = OwnWitness()
    witness.follow(tmp_path, 3)
    witness.stop()
    assert list(tmp_path.iterdir()) == []
    assert faulthandler.is_enabled()


def test_everything_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr("stetho.capture.own_witness.handles", lambda *_: False)
    monkeypatch.setattr(faulthandler, "is_enabled", lambda: False)
    calls = []
    monkeypatch.setattr(faulthandler, "enable", lambda file, **_: calls.append(os.fstat(file).st_size))
    monkeypatch.setattr(faulthandler, "disable", lambda: calls.append("off"))
    witness = OwnWitness()
    witness.follow(None, 1)
    witness.follow(tmp_path, 41)
    file = tmp_path / LAST_WORDS_FILE
    assert file.read_text().split() == ["step", "41"]
    witness.follow(tmp_path, 42)
    assert file.read_text().split() == ["step", "42"]
    witness.stop()
    witness.stop()
    assert (file.exists(), len(calls), calls[-1]) == (False, 2, "off")
