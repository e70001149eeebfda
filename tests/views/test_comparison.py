"""Comparisons on the terminal, for hand-made results."""

import io

import numpy as np
import pytest

from stetho.comparing.compile_log import CompileEvent
from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.data import Data
from stetho.comparing.runs.fact import Fact
from stetho.comparing.runs.places import Place
from stetho.comparing.runs.result import RunComparison
from stetho.comparing.runs.verdict import Verdict
from stetho.comparing.tensor_error import error_between
from stetho.views.comparison import comparison_lines, print_comparison

LAYER = {"name": "body.2", "class": "Linear", "constructed": "a.py:9", "called": "a.py:12"}
OTHER = LAYER | {"constructed": "b.py:9", "called": "b.py:12"}


def comparison(**changes: object) -> RunComparison:
    error = error_between(np.float32([1, 2]), np.float32([1, 4]))
    place = Place(2, "act", "act", "body.2", 0, LAYER, OTHER, 0.5, {"rms": 1.0}, {"rms": 2.0}, error)
    given: dict[str, object] = {
        "names": ("first-run", "second-run"),
        "facts": [Fact("hyperparameters", "lr", "0.1", "0.2", ("a.py:14", "b.py:14"))],
        "data": Data("same", None, "the same 3 batches in both runs", 3),
        "curve": Curve(np.arange(1, 4), np.asarray([3.0, 2, 1]), np.asarray([3.0, 2.5, 2]), 1e-3, (0, 0)),
        "verdict": Verdict("forward", 2, "the forward pass differs", False),
        "places": [place],
        "reasons": ["its settings differ"],
        "notes": ["a note"],
    }
    return RunComparison(**given | changes)  # type: ignore[arg-type]


def drawn(found: RunComparison, width: int = 80) -> str:
    return "\n".join("".join(piece for piece, _ in line).rstrip() for line in comparison_lines(found, width))


def test_everything_has_its_line() -> None:
    assert drawn(comparison()) == (
        "compare · first: first-run · second: second-run\n"
        "\n"
        "  the same    environment · configuration · data\n"
        "  training    lr 0.1 → 0.2  (a.py:14 and b.py:14)\n"
        "  loss        2 and 2.5 at step 2: 20 % apart, the first of 3 steps beyond 0.001\n"
        "              first  █▅▁  3 → 1\n"
        "              second █▅▁  3 → 2\n"
        "\n"
        "  different   the forward pass differs\n"
        "  because     its settings differ\n"
        "  where       `body` › `body.2` (Linear)\n"
        "  made at     a.py:9 and b.py:9\n"
        "  called at   a.py:12 and b.py:12\n"
        "  error       max abs 2 · max rel 0.5 · cosine 0.97618706 · 8,388,608 ulps · 1\n"
        "              of 2 elements\n"
        "  worst       at [1]: 2 and 4"
    )


def test_equal_runs_need_few_words() -> None:
    curve = Curve(np.arange(1, 3), np.ones(2), np.ones(2), 1e-3, (0, 0))
    found = comparison(facts=[], curve=curve, verdict=Verdict("equal", None, "all equal", False), places=[], reasons=[])
    assert drawn(found).splitlines()[-1] == "  equal       all equal"
    assert "equal in all 2 steps" in drawn(found)


def test_operations_and_the_compiler_are_told() -> None:
    row = {"sentence": "exp, forward of `fc`", "lines": ["a.py:3", None], "details": ["max abs 1"]}
    found = comparison(operations=[row], compilation=[CompileEvent("graph break", "a.py:7", "calls print", 2)])
    assert "  operation   exp, forward of `fc`  (a.py:3)\n              max abs 1" in drawn(found)
    assert "  compiler    graph break at a.py:7 (2 times): calls print" in drawn(found)


def test_a_narrow_terminal_gets_narrow_lines() -> None:
    assert max(map(len, drawn(comparison(), 60).splitlines())) <= 60


def test_the_table_and_the_notes_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    file = io.StringIO()
    print_comparison(comparison(), file)
    text = file.getvalue()
    assert "output  body.2      1       2  0.4851  Linear" in text
    assert text.endswith("a note\n")
