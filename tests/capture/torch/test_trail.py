"""Rows of references: in C and in Python they are the same."""

import gc
import sys
import weakref

import pytest

from stetho.capture.torch.trail import PythonTrail, Trail

KINDS = [PythonTrail] + ([Trail] if Trail is not PythonTrail else [])


class Node:
    def __init__(self, number=7):
        self.number = number

    def name(self):
        return "ExpBackward0"

    def _sequence_nr(self):
        return self.number


def make(kind, *, node=None, is_users=lambda code: code.co_filename == "user.py", stops=()):
    return kind(is_users, lambda: node, lambda: 5, stops)


def library(action):
    return action()


def stop(action):
    return library(action)


def function(text):
    """A function of a program."""
    namespace = {"library": library}
    exec(compile(text, "user.py", "exec"), namespace)
    return namespace["user"]


user = function("def user(action):\n    return library(action)")


@pytest.mark.parametrize("kind", KINDS)
def test_finds_the_program_behind_libraries(kind):
    trail = make(kind)
    user(lambda: trail.add("exp", "forward", None, ["a", "b"], 1, 2, 3))
    what, phase, (code, place), layer, node, *numbers = trail.row(0)
    assert (what, phase, layer, node, numbers) == ("exp", "forward", "b", None, [4, 1, 2, 3])
    assert code is user.__code__
    assert [line for begin, end, line in code.co_lines() if begin <= place < end] == [code.co_firstlineno + 1]


@pytest.mark.parametrize("kind", KINDS)
def test_does_not_look_beyond_a_stop(kind):
    trail = make(kind, stops=(stop.__code__,))
    user(lambda: stop(lambda: trail.add("exp", "loss", "train.py:3", [], 0, 0, 0)))
    assert trail.row(0)[:5] == ("exp", "loss", "train.py:3", None, None)


@pytest.mark.parametrize("kind", KINDS)
def test_a_gradient_has_the_number_of_its_node_and_no_line_of_ours(kind):
    trail = make(kind, node=Node(), is_users=lambda _: False)
    trail.add("mul", "backward", "train.py:3", [], 0, 1, 2)
    assert trail.row(0)[2:6] == (None, None, "ExpBackward0", 7)


@pytest.mark.parametrize("kind", KINDS)
def test_many_rows_from_many_places(kind):
    trail = make(kind)
    calls = [f"    add({number}, 'forward', None, [], 0, 0, 0)" for number in range(3000)]
    function("\n".join(["def user(add):", *calls]))(trail.add)
    rows = [trail.row(number) for number in range(len(trail))]
    assert [row[0] for row in rows] == list(range(3000))
    assert [row[2][1] for row in rows] == sorted(row[2][1] for row in rows)


@pytest.mark.parametrize("kind", KINDS)
def test_lets_go_of_everything(kind):
    class Kind:
        pass

    what = Kind()
    known = weakref.ref(what)
    trail = make(kind)
    before = sys.getrefcount(None)
    for _ in range(1000):
        trail.add(what, "forward", None, [], 0, 0, 0)
    trail.clear()
    assert len(trail) == 0
    assert abs(sys.getrefcount(None) - before) < 100
    del what
    gc.collect()
    assert known() is None
    with pytest.raises(IndexError):
        trail.row(0)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_of_what_it_asks_is_told(kind):
    trail = make(kind, is_users=lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        trail.add("exp", "forward", None, [], 0, 0, 0)
    assert len(trail) == 0


@pytest.mark.skipif(len(KINDS) == 1, reason="built where there is a compiler")
def test_the_native_one_refuses_what_it_cannot_take():
    with pytest.raises(TypeError):
        make(Trail).add("exp")
    with pytest.raises(TypeError):
        make(Trail).add("exp", "forward", None, None, 0, 0, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_node_without_a_number_has_none(kind):
    trail = make(kind, node=Node((1 << 64) - 1))
    trail.add("detach", "backward", None, [], 0, 0, 0)
    assert trail.row(0)[5] == -1
