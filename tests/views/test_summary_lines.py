"""The short view of a run, to the letter."""

import io
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stetho.views.summary import Curve, ModelFacts, Summary
from stetho.views.summary_lines import print_summary, short_path, short_place, summary_lines, wrapped

FULL = Summary(
    name="2026-11-15_19-40-27_train",
    path=Path("/runs/2026-11-15_19-40-27_train"),
    program=("train.py", "--name", "two words"),
    state="finished",
    started=None,
    exit_kind="finished",
    exit_code=0,
    error=None,
    where=None,
    steps=1200,
    epochs=3,
    seconds=83.2,
    steps_per_second=14.42,
    losses={0: Curve(2.3026, 0.0412, 0.0305, (2.3, 1.2, 0.6, 0.2, 0.04))},
    learning_rates={0: Curve(0.1, 0.001, 0.001, (0.1, 0.001))},
    metrics={"user": {"score": 3.0}, "eval": {"loss": 0.05, "accuracy": 0.9412}, "train": {"accuracy": 0.993}},
    models=(ModelFacts("model", 12, 109_386, 109_386), ModelFacts("teacher", 1, 50, 0)),
    tiers={"full": 220, "cheap": 980, "clock": 0},
    overhead=0.0183,
    overhead_seconds=1.52,
    times={"data": 1.0, "forward": 3.0, "backward": 5.0, "optimizer": 0.6, "ours": 0.2, "rest": 0.2},
    memory_peak=500 << 20,
    device_memory_peak=3 << 30,
    notes=("compiled regions are recorded at their boundary; `--eager` shows the layers inside",),
    capture_error=None,
    ranks=0,
)

EMPTY = replace(
    FULL,
    program=(),
    seconds=None,
    steps=0,
    epochs=None,
    steps_per_second=None,
    losses={},
    learning_rates={},
    metrics={},
    models=(),
    tiers={},
    overhead=None,
    overhead_seconds=None,
    times={},
    memory_peak=None,
    device_memory_peak=None,
    notes=(),
)

AT_80 = """\
stetho · 2026-11-15_19-40-27_train · finished after 1 min 23 s
  program   train.py --name 'two words'
  steps     1,200 · 3 epochs · 14.4 steps/s
  loss      2.303 → 0.0412 · lowest 0.0305 · █▅▃▁▁
  train     accuracy 0.993
  eval      loss 0.05 · accuracy 0.9412
  user      score 3
  lr        0.1 → 0.001
  model     model · 12 layers · 109,386 parameters, all trainable
  model     teacher · 1 layer · 50 parameters, 0 trainable
  a step    data 10 % · forward 30 % · backward 50 % · optimizer 6.0 %
            watching 2.0 % · rest 2.0 %
  measured  220 fully · 980 loss and gradient norm only
            watching took 1.8 % of the time (1.5 s)
  memory    at most 500 MiB · device 3.0 GiB
  note      compiled regions are recorded at their boundary; `--eager` shows the
            layers inside
  run       /runs/2026-11-15_19-40-27_train
"""


def test_is_compact_at_eighty_columns() -> None:
    assert "\n".join(summary_lines(FULL, 80)) + "\n" == AT_80


def test_uses_the_width_of_a_wide_terminal() -> None:
    lines = summary_lines(FULL, 140)
    assert len(lines) == AT_80.count("\n") - 3
    assert max(map(len, lines)) <= 140


def test_a_pipe_gets_plain_unbroken_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    file = io.StringIO()
    print_summary(FULL, file)
    assert file.getvalue() == "\n".join(summary_lines(FULL, 10_000)) + "\n"


def test_colour_can_be_forced_and_forbidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    file = io.StringIO()
    print_summary(FULL, file)
    assert "\x1b[" in file.getvalue()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR")
    file = io.StringIO()
    print_summary(FULL, file)
    assert "\x1b[3" not in file.getvalue()


def test_says_that_there_was_no_step() -> None:
    assert summary_lines(EMPTY, 80) == [
        "stetho · 2026-11-15_19-40-27_train · finished",
        "  steps     none: the program imported torch, and no optimizer made a step",
        "  run       /runs/2026-11-15_19-40-27_train",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "running"}, "still running"),
        ({"state": "killed"}, "killed"),
        ({"exit_kind": "exit", "exit_code": 3}, "exit status 3"),
        ({"exit_kind": "exit", "exit_code": 0}, "finished"),
        ({"exit_kind": "exception", "exit_code": 1}, "failed"),
        ({"exit_kind": "interrupted", "exit_code": 130}, "interrupted"),
        ({"exit_kind": "steps reached", "exit_code": 0}, "stopped at the wanted step"),
        ({"exit_kind": None}, "ended"),
    ],
)
def test_the_heading_says_how_it_ended(change: dict[str, object], words: str) -> None:
    summary = replace(FULL, **change)  # type: ignore[arg-type]
    assert summary_lines(summary, 80)[0] == f"stetho · 2026-11-15_19-40-27_train · {words} after 1 min 23 s"


def test_an_error_is_shown_with_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed = replace(FULL, exit_kind="exception", exit_code=1, error="ValueError: bad", where=f"{tmp_path}/train.py:12")
    assert "  error     ValueError: bad · train.py:12" in summary_lines(failed, 80)


def test_a_failure_of_ours_is_not_hidden() -> None:
    assert "  error     watching ended early: RuntimeError: x" in summary_lines(
        replace(FULL, capture_error="RuntimeError: x"), 80
    )


def test_losses_of_two_optimizers_stand_apart() -> None:
    curve = Curve(1.0, math.nan, 0.5, (1.0, 0.5, math.nan))
    lines = summary_lines(replace(FULL, losses={0: curve, 1: curve}), 80)
    assert "  loss 0    1 → nan · lowest 0.5 · █▁×" in lines
    assert "  loss 1    1 → nan · lowest 0.5 · █▁×" in lines


def test_rates_of_two_optimizers_are_no_schedule() -> None:
    large, small = Curve(25.0, 25.0, 25.0, (25.0,)), Curve(0.3, 0.1, 0.1, (0.3, 0.1))
    lines = summary_lines(replace(FULL, learning_rates={0: large, 1: small, 2: large}), 80)
    assert "  lr        25 · 0.3 → 0.1" in lines


def test_of_many_rates_the_first_are_shown() -> None:
    rates = {each: Curve(each + 1.0, each + 1.0, each + 1.0, (1.0,)) for each in range(6)}
    assert "  lr        1 · 2 · 3 · 4 · and 2 more" in summary_lines(replace(FULL, learning_rates=rates), 80)


def test_a_full_measurement_of_all_steps_is_said_in_three_words() -> None:
    lines = summary_lines(replace(FULL, tiers={"full": 1200, "cheap": 0, "clock": 0}), 80)
    assert "  measured  every step fully · watching took 1.8 % of the time (1.5 s)" in lines


def test_epochs_that_nobody_counted_are_not_denied() -> None:
    lines = summary_lines(replace(FULL, tiers={"full": 220, "asleep": 980}), 80)
    assert "  steps     1,200 · at least 3 epochs · 14.4 steps/s" in lines


def test_long_lists_are_cut_with_their_rest_counted() -> None:
    many = replace(
        FULL,
        models=FULL.models[:1] * 6,
        losses=dict.fromkeys(range(600), FULL.losses[0]),
        notes=tuple(f"note {number}" for number in range(7)),
        metrics={"user": {f"m{number}": 1.0 for number in range(9)}},
    )
    lines = summary_lines(many, 140)
    assert "  model     and 2 more" in lines
    assert "  loss      of 592 more optimizers" in lines
    assert sum(line.startswith("  loss ") for line in lines) == 9
    assert "  note      2 more in /runs/2026-11-15_19-40-27_train/notes.jsonl" in lines
    assert "  user      m0 1 · m1 1 · m2 1 · m3 1 · m4 1 · m5 1 · and 3 more" in lines


def test_ranks_are_counted() -> None:
    assert summary_lines(replace(FULL, ranks=2), 80)[0].startswith("stetho · 2026-11-15_19-40-27_train on 2 ranks · ")


@given(st.lists(st.text(alphabet="ab ", min_size=1, max_size=30), min_size=1, max_size=8), st.integers(8, 60))
def test_wrapping_loses_no_letter_and_fits_where_it_can(parts: list[str], width: int) -> None:
    lines = list(wrapped(parts, width))
    letters = "".join("".join(lines).replace("·", "").split())
    assert letters == "".join("".join(parts).split())
    longest_word = max((len(word) for part in parts for word in part.split()), default=0)
    assert all(len(line) <= max(width, longest_word + 3, max(map(len, parts))) for line in lines)


def test_paths_are_short_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert short_path(tmp_path / "a" / "b") == "a/b"
    assert short_path(Path("a")) == "a"
    assert short_place(f"{tmp_path}/a.py:3") == "a.py:3"
    assert short_place("odd") == "odd"
    assert short_place("/usr/lib/python3/site-packages/timm/models/vit.py:7") == "timm/models/vit.py:7"


def test_more_than_the_budget_at_the_beginning_is_said_to_be_free() -> None:
    lines = summary_lines(replace(FULL, overhead=0.28, overhead_seconds=4.1, free_seconds=5.0), 80)
    assert "            watching took 28 % of the time (4.1 s; the first 5.0 s are free)" in lines


@pytest.mark.parametrize(("crash", "says"), [("SIGSEGV", "before the crash"), (None, "before it was killed")])
def test_steps_that_were_not_written_are_not_said_to_be_none(crash: str | None, says: str) -> None:
    killed = replace(EMPTY, state="killed", exit_kind=None, exit_code=None, crash=crash)
    assert f"  steps     none was written {says}" in summary_lines(killed, 80)
