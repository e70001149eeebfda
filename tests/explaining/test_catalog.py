"""The catalogue: every explanation has a name of its own, a docstring with its message, and is met by a test."""

import ast
import re
from pathlib import Path

import pytest

import stetho.explaining
from stetho.explaining import explain
from stetho.explaining.catalog import CATALOG
from stetho.explaining.declare import Unit
from stetho.explaining.scene import Scene

FOLDER = Path(stetho.explaining.__file__).parent

WITHOUT_A_REAL_ERROR = {
    "dataloader-worker-gone": "DataLoader worker (pid 12) is killed by signal: Killed.",
    "mixed-devices-conv": "Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same",
    "wanted-type": "expected scalar type Long but found Float",
    "device-memory": "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has …",
}
"""Messages that need an accelerator, an older torch, or a killed process, as torch words them."""


@pytest.mark.parametrize("unit", CATALOG, ids=lambda unit: unit.name)
def test_a_unit_is_named_and_documented(unit: Unit) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", unit.name)
    assert unit.example.startswith("`")


def test_names_differ() -> None:
    assert len({unit.name for unit in CATALOG}) == len(CATALOG)


def test_every_declared_explanation_is_listed() -> None:
    declared = sum(
        any(isinstance(each, ast.Call) and getattr(each.func, "id", "") == "explains" for each in node.decorator_list)
        for file in FOLDER.glob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name != "explains"
    )
    assert declared == len(CATALOG)


def test_every_explanation_is_met_by_a_test() -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    assert [unit.name for unit in CATALOG if f'"{unit.name}"' not in tests] == []


@pytest.mark.parametrize("name", WITHOUT_A_REAL_ERROR)
def test_explains_messages_that_cannot_be_made_here(name: str) -> None:
    found = explain(Scene("RuntimeError", WITHOUT_A_REAL_ERROR[name]))
    assert found is not None
    assert found.name == name
    assert found.fits


@pytest.mark.parametrize("unit", CATALOG, ids=lambda unit: unit.name)
def test_a_unit_gives_way_to_a_message_that_is_not_its_own(unit: Unit) -> None:
    assert unit.explain(Scene("ValueError", "the moon is full")) is None


def test_an_unknown_message_is_not_explained() -> None:
    assert explain(Scene("ValueError", "the moon is full")) is None


def test_a_broken_explanation_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ValueError

    unit = Unit("broken", (re.compile("moon"),), broken, "")
    monkeypatch.setattr("stetho.explaining.catalog.CATALOG", (unit,))
    assert explain(Scene("ValueError", "the moon is full")) is None
