"""Loops that may be left before their rounds are over."""

from pathlib import Path

import pytest

from stetho.capture.text.broken_off import broken_off_at

FOUND = {
    "in one condition": ("N = 80\nfor e in range(N):\n    step()\n    if done(e):\n        break", 3, {80: 4}),
    "in the other branch": (
        "for e in range(1, 51):\n    step()\n    if v < best:\n        best = v\n    else:\n        bad += 1\n"
        "        if bad > 5:\n            break",
        2,
        {50: 3},
    ),
    "a counter": (
        "for e in range(50):\n    for x in xs:\n        step()\n    if v < best:\n        bad = 0\n    else:\n"
        "        bad += 1\n    if bad > 5:\n        break",
        3,
        {50: 4},
    ),
}
NOT_FOUND = {
    "no break": ("for e in range(9):\n    step()", 2),
    "a break of another loop": (
        "for e in range(9):\n    step()\n    if e:\n        for x in xs:\n            break",
        2,
    ),
    "rounds that nobody knows": ("for e in range(n()):\n    step()\n    if e:\n        break", 2),
    "two ends": ("for e in range(9):\n    step()\n    if e:\n        break\n    if f:\n        break", 2),
    "no range": ("for x in loader:\n    step()\n    if x:\n        break", 2),
}


@pytest.mark.parametrize(("text", "step", "decided"), FOUND.values(), ids=FOUND)
def test_the_rounds_and_what_decides_are_found(text: str, step: int, decided: dict[int, int], tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert broken_off_at(f"{file}:{step}") == {rounds: f"{file}:{line}" for rounds, line in decided.items()}


@pytest.mark.parametrize(("text", "step"), NOT_FOUND.values(), ids=NOT_FOUND)
def test_other_loops_say_nothing(text: str, step: int, tmp_path: Path) -> None:
    file = tmp_path / "train.py"
    file.write_text(text)
    assert broken_off_at(f"{file}:{step}") == {}
