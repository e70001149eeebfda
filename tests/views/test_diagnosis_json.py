"""The JSON file for other programs."""

import json
from pathlib import Path

import pytest

from stetho.errors import UsageError
from stetho.findings.finding import Finding
from stetho.findings.verdict import Verdict
from stetho.views.diagnosis_json import write_diagnosis

VERDICT = Verdict((Finding("loss-plateau", "warning", 0.9, "the loss is 2.3", evidence={"loss": float("nan")}),))


def test_writes_a_file(tmp_path: Path) -> None:
    write_diagnosis(VERDICT, Path("runs/a"), str(tmp_path / "out.json"))
    document = json.loads((tmp_path / "out.json").read_text())
    assert sorted(document) == ["clear", "findings", "format", "run", "skipped"]
    assert document["run"] == "runs/a"
    assert document["findings"][0]["evidence"] == {"loss": "NaN"}


def test_a_dash_is_the_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    write_diagnosis(VERDICT, Path("runs/a"), "-")
    assert json.loads(capsys.readouterr().out)["format"] == 1


def test_a_file_that_cannot_be_written_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"the findings cannot be written \(.*\); choose another file: "):
        write_diagnosis(VERDICT, Path("runs/a"), str(tmp_path / "gone" / "out.json"))
