"""Real errors of torch, made by small programs, and what is said about them."""

import textwrap
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from stetho.explaining.report import ErrorReport
from stetho.postmortem import report_of

FIRST_LINE = "import torch; from torch import nn; import torch.nn.functional as F\n"
"""What each program begins with; its own code begins in line 2."""

Report = Callable[[str], ErrorReport]
Unsaid = Callable[..., list[str]]


@pytest.fixture
def report(tmp_path: Path) -> Report:
    """Runs a program that fails, and gives what is told about it."""

    def run(code: str) -> ErrorReport:
        file = tmp_path / "program.py"
        text = FIRST_LINE + textwrap.dedent(code).lstrip("\n")
        file.write_text(text, encoding="utf-8")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(text, str(file), "exec"), {"__name__": "__main__"})
        except Exception as error:
            error.__traceback__ = error.__traceback__ and error.__traceback__.tb_next
            return report_of(error)
        raise AssertionError("the program did not fail")

    return run


@pytest.fixture
def unsaid(report: Report, tmp_path: Path) -> Unsaid:
    """What the explanation of a failing program lacks of the name and the words that it should have."""

    def lacking(name: str, code: str, *words: str) -> list[str]:
        explanation = report(code).explanation
        assert explanation is not None
        facts = [f"{label} {fact}" for label, fact in explanation.facts]
        told = "\n".join([explanation.title, *facts, *explanation.fits]).replace(f"{tmp_path}/", "")
        misnamed = [] if explanation.name == name else [f"the name {name!r}, not {explanation.name!r}"]
        return misnamed + [f"{word!r} is not in:\n{told}" for word in words if word not in told]

    return lacking
