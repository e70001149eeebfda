"""`stetho replay` on the command line."""

from argparse import Namespace
from pathlib import Path
from types import ModuleType

import pytest

from stetho.commands import replay, repro
from stetho.commands.replay import bundle_folder
from stetho.errors import UsageError


def test_finds_the_last_bundle_of_a_run(tmp_path: Path) -> None:
    for step in (3, 12):
        folder = tmp_path / f"bundle-step-{step:08d}"
        folder.mkdir()
        (folder / "bundle.json").write_text("{}")
    assert bundle_folder(tmp_path).name == "bundle-step-00000012"
    assert bundle_folder(tmp_path / "bundle-step-00000003").name == "bundle-step-00000003"


def test_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="stetho run --bundle"):
        bundle_folder(tmp_path)


@pytest.mark.parametrize("command", [replay, repro])
def test_a_bundle_that_cannot_be_run_is_one_error(command: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "bundle.json").write_text("{")
    with pytest.raises(UsageError, match="cannot be run again here: JSONDecodeError"):
        command.run(Namespace(bundle=str(tmp_path), output=str(tmp_path / "test_it.py"), whole=False))


def test_another_value_is_told_with_what_is_not_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    result = {"step": 3, "recorded": 1.0, "replayed": 2.0, "same": False, "finite": True, "operations": 5, "births": []}
    monkeypatch.setattr(replay, "run_again", lambda *_: result | {"changed": ["torch 2.5, here 2.6"]})
    (tmp_path / "bundle.json").write_text("{}")
    assert replay.run(Namespace(bundle=str(tmp_path))) == 1
    said = capsys.readouterr().out
    assert "loss 2.0, recorded 1.0: not the same\nrecorded with torch 2.5, here 2.6\n5 operations" in said
