"""`stetho doctor` says what is here and never fails itself."""

import io
import json
from typing import Any

import pytest

from stetho.capture.installation import Finding
from stetho.commands.doctor import print_findings

Stetho = Any


def test_finds_this_installation_in_order(stetho: Stetho) -> None:
    done = stetho("doctor", "--json")
    findings = {finding["subject"]: finding for finding in json.loads(done.stdout)}
    assert done.returncode == 0, done.stdout
    assert findings["torch"]["state"] == "ok"
    assert findings["pyarrow"]["state"] == "ok"
    assert findings["compiled regions"]["state"] == "limit"


def test_draws_signs_advice_and_limits() -> None:
    file = io.StringIO()
    findings = [
        Finding("python", "ok", "3.11"),
        Finding("pandas", "missing", "optional, not installed", "pip install 'stetho[pandas]'"),
        Finding("runs", "problem", "cannot be written"),
        Finding("compiled regions", "limit", "recorded at their boundary"),
    ]
    print_findings(findings, file)
    assert file.getvalue() == (
        "✓ python  3.11\n"
        "– pandas  optional, not installed\n"
        "  → pip install 'stetho[pandas]'\n"
        "✗ runs    cannot be written\n"
        "\n"
        "What cannot be seen:\n"
        "· compiled regions: recorded at their boundary\n"
    )


def test_folds_long_lines_below_their_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    file = io.StringIO()
    print_findings([Finding("python", "ok", "a text that is rather long"), Finding("x y", "limit", "z " * 12)], file)
    assert file.getvalue() == (
        "✓ python  a text that is\n          rather long\n\nWhat cannot be seen:\n· x y: z z z z z z z z z z z z\n"
    )


def test_a_wrong_option_in_the_project_is_found(stetho: Stetho, tmp_path: Any) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.stetho]\nevry = 3\n")
    done = stetho("doctor")
    assert done.returncode == 1
    assert "✗ options" in done.stdout
    assert "did you mean `every`?" in done.stdout
