"""TorchScript compiles under watch what it compiles without."""

from contextlib import contextmanager

import pytest
import torch

import stetho
from stetho.capture.torch.scripting import scripting

pytestmark = pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")


def test_a_class_that_uses_a_name_of_its_place_compiles(tmp_path):
    # Names of a class, unlike those of a function, are looked up in the frame that calls `script`.
    def twice(x: int) -> int:
        return 2 * x

    with stetho.watch(out=tmp_path):

        @torch.jit.script
        class Doubling:
            def __init__(self, x: int):
                self.x = twice(x)

        assert Doubling(4).x == 8


def test_the_frame_that_is_asked_for_is_the_one_above_ours(tmp_path):
    def twice(x: int) -> int:
        return 2 * x

    def helper(kind):
        return torch.jit.script(kind, _frames_up=1)

    class Doubled:
        def __init__(self, x: int):
            self.x = twice(x)

    with stetho.watch(out=tmp_path):
        assert helper(Doubled)(4).x == 8


def test_a_script_of_the_programs_own_gets_what_it_takes():
    entered = []

    @contextmanager
    def around(what):
        entered.append(what)
        yield

    off = scripting(around)(lambda function, optimize=False: (function, optimize))
    assert (off("a"), off("b", True)) == (("a", False), ("b", True))
    assert entered == ["a", "b"]


def test_what_has_no_signature_is_called_plainly():
    @contextmanager
    def around(_):
        yield

    assert scripting(around)(dict)([("a", 1)]) == {"a": 1}
