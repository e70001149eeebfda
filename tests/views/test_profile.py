"""A profile as text."""

import io
from dataclasses import replace
from pathlib import Path

import pytest

from stetho.profiling.records import Profile, Verdict
from stetho.views.profile import print_profile
from tests.profiling.sample import PROFILE


def drawn(profile: Profile, **more: bool) -> str:
    file = io.StringIO()
    print_profile(profile, file, title="train.py", **more)
    return file.getvalue()


def test_says_how_long_a_step_takes_and_of_what_it_consists() -> None:
    assert drawn(PROFILE).startswith(
        "stetho profile · train.py · 20 steps recorded\n"
        "  a step    10 ms ± 1 ms · 100 steps/s\n"
        "  of it     data 20 % · forward 30 % · backward 40 % · optimizer 5.0 % · other 5.0 %\n"
        "  measured  recorded steps took 10 % longer than others, which is taken off below\n"
        "  note      1 recorded step was left out\n"
    )


def test_layers_stand_by_their_own_time_and_the_rest_is_named() -> None:
    lines = drawn(PROFILE).splitlines()
    start = lines.index("layers, their own time in a step")
    first, second, outside = lines[start + 2 : start + 5]
    assert first.split()[:12] == ["model.fc", "2", "ms", "4", "ms", "500", "µs", "65", "%", "6", "ms", "2.0"]
    assert second.startswith("model ")
    assert outside.split() == ["outside", "of", "layers", "25", "%", "2.5", "ms"]


def test_a_narrow_terminal_gets_fewer_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = drawn(PROFILE)
    assert "FLOP/s" in text
    assert "class" not in text
    assert max(map(len, text.splitlines()[6:12])) <= 80


def test_a_share_stays_on_the_line_of_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    for width in range(40, 80):
        monkeypatch.setenv("COLUMNS", str(width))
        assert not [
            line for line in drawn(PROFILE).partition("layers")[0].splitlines() if line.lstrip().startswith("%")
        ]


def test_what_was_tried_and_the_verdict_come_last() -> None:
    end = drawn(PROFILE).rpartition("tried")[2]
    assert "unknown   autocast to bfloat16: RuntimeError: no\n" in end
    assert [line.split()[-4:] for line in end.splitlines() if line.startswith("autocast")] == [["–"] * 4]
    assert end.endswith("\ncompute bound: it is\n  try: num_workers=2: faster\n")


def test_the_verdict_names_a_line_as_one_would_type_it_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    verdict = Verdict("python", f"Python bound; most of it at {tmp_path}/train.py:7: step()", {})
    assert "most of it at train.py:7: step()" in drawn(replace(PROFILE, verdict=verdict))
