"""A profile as text."""

import io

import pytest

from stetho.profiling.records import Measure, MemoryUse, Profile
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
        "  measured  instruments added 10 %, which is taken off below\n"
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


def test_memory_that_grows_has_its_name_and_its_line() -> None:
    assert (
        "grows     `losses` in main keeps 4 B, 1 tensor, 9 nodes of graphs more each step · train.py:9; "
        "keep `.item()` or `.detach()` of it instead\n"
    ) in drawn(PROFILE)


def test_a_process_that_grows_without_a_name_is_told() -> None:
    growing = Profile(3, Measure(1.0), Measure(), {}, memory=MemoryUse(growth=2.0**20))
    assert "grows     the process, by 1.0 MiB a step" in drawn(growing)


def test_what_was_tried_and_the_verdict_come_last() -> None:
    end = drawn(PROFILE).rpartition("tried")[2]
    assert "failed: RuntimeError: no" in end
    assert end.endswith("\ncompute bound: it is\n  try: num_workers=2: faster\n")


def test_the_loader_and_the_way_of_its_batches() -> None:
    text = drawn(PROFILE)
    assert "loader    DataLoader, 2 workers, batch 8 · train.py:3\n" in text
    assert "a sample is 512 B, a batch 4.0 KiB" in text
    assert "pickling 100 µs, unpickling 200 µs a batch" in text
