"""Lines of the program by looking at its thread now and then."""

import sys
import threading
import time

import pytest

from stetho.capture import launch
from stetho.profiling.sampling import Sampler, phase_of


def test_names_the_line_that_the_time_passes_in() -> None:
    before = sys.getswitchinterval()
    sampler = Sampler(threading.get_ident())
    sampler.start()
    time.sleep(0.1)
    sampler.stop()
    line = sampler.lines(step_seconds=2.0)[0]
    assert line.code == "time.sleep(0.1)"
    assert line.place.startswith(f"{__file__}:")
    assert line.function == "test_names_the_line_that_the_time_passes_in"
    assert (line.phase, 0 < line.seconds <= 2.0) == ("", True)
    assert sys.getswitchinterval() == before


def test_the_script_that_began_a_program_is_none_of_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_replaced", [sys.modules[__name__]])
    sampler = Sampler(threading.get_ident())
    sampler.start()
    time.sleep(0.05)
    sampler.stop()
    assert sampler.lines(1.0) == []


def test_a_thread_that_is_gone_has_no_lines() -> None:
    sampler = Sampler(thread=-1)
    sampler.start()
    sampler.stop()
    assert sampler.lines(1.0) == []


def test_code_of_the_framework_on_the_stack_tells_the_phase() -> None:
    frames = []
    scope = {"look": lambda: frames.append(sys._getframe())}
    exec(compile("look()", "/lib/torch/optim/sgd.py", "exec"), scope)
    assert phase_of(frames[0]) == "optimizer"
    assert phase_of(None) == ""


def test_what_is_ours_belongs_to_no_line() -> None:
    sampler = Sampler(threading.get_ident(), is_ours=lambda: True)
    sampler.start()
    time.sleep(0.02)
    sampler.stop()
    assert sampler.lines(1.0) == []
