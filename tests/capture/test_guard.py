"""The guard: no error of ours gets past it, and our time is counted."""

import inspect
import sys
from threading import Event, Thread
from time import sleep

import pytest

from stetho.capture.guard import Guard, fault_at
from stetho.records import StepsReached


class Problems(list):
    """A guard's complaints, as (point, traceback)."""

    def __call__(self, point, text):
        self.append((point, text))


@pytest.fixture
def problems():
    return Problems()


@pytest.fixture
def guard(problems):
    return Guard(problems)


@pytest.fixture
def clock(guard):
    """Time that passes only when told to."""
    now = [100.0]
    guard.clock = lambda: now[0]
    return now


def test_passes_arguments_and_results_through(guard):
    wrapped = guard.wrap("adding", lambda a, b=0: a + b)
    assert wrapped(1, b=2) == 3
    assert guard.points == {"adding"}


def test_an_error_is_told_once_and_everything_after_it_does_nothing(guard, problems):
    calls = []
    broken = guard.wrap("broken", lambda: 1 / 0)
    other = guard.wrap("other", lambda: calls.append(1))
    other()
    assert broken() is None
    assert broken() is None
    assert other() is None
    assert calls == [1]
    assert not guard.alive
    ((point, text),) = problems
    assert point == "broken"
    assert text.startswith("Traceback")
    assert text.rstrip().endswith("ZeroDivisionError: division by zero")


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, StepsReached])
def test_what_ends_the_program_is_not_ours_to_catch(guard, problems, error):
    def ending():
        raise error

    with pytest.raises(error):
        guard.wrap("ending", ending)()
    assert guard.alive
    assert problems == []


def test_time_is_added_up_also_when_something_is_raised(guard, clock):
    def slow(seconds):
        clock[0] += seconds
        if seconds > 1:
            raise StepsReached

    wrapped = guard.wrap("slow", slow)
    wrapped(0.5)
    with pytest.raises(StepsReached):
        wrapped(2.0)
    assert guard.seconds == pytest.approx(2.5)


def test_time_so_far_includes_the_call_that_asks(guard, clock):
    seen = []

    def slow():
        clock[0] += 0.25
        seen.append(guard.so_far())

    wrapped = guard.wrap("slow", slow)
    wrapped()
    wrapped()
    assert seen == pytest.approx([0.25, 0.5])


def test_outside_of_our_functions_time_does_not_pass_for_us(guard, clock):
    guard.wrap("nothing", lambda: None)()
    clock[0] += 5.0
    assert guard.so_far() == guard.seconds == 0.0


def test_time_of_the_users_code_inside_of_ours_is_theirs(guard, clock):
    def sleep(seconds):
        clock[0] += seconds

    ours = guard.wrap("called by the user", sleep)

    def outer():
        sleep(1.0)
        with guard.theirs():
            sleep(10.0)
            ours(2.0)

    guard.wrap("outer", outer)()
    assert guard.seconds == pytest.approx(3.0)


def test_time_of_the_users_code_is_theirs_also_when_it_raises(guard, clock):
    def outer():
        with guard.theirs():
            clock[0] += 10.0
            raise SystemExit

    with pytest.raises(SystemExit):
        guard.wrap("outer", outer)()
    assert guard.seconds == pytest.approx(0.0)


def test_processor_time_is_counted_as_long_as_somebody_asks(guard, clock):
    worked = [50.0]

    def work(seconds):
        clock[0] += 3 * seconds
        worked[0] += seconds

    def outer():
        work(1.0)
        with guard.theirs():
            work(10.0)

    guard.wrap("before", work)(1.0)
    guard.processor = lambda: worked[0]
    guard.wrap("outer", outer)()
    guard.wrap("the last", lambda: (work(2.0), guard.count_processor_time(False)))()
    guard.wrap("after", work)(1.0)
    assert guard.worked == pytest.approx(3.0)
    assert guard.seconds == pytest.approx(15.0)


def test_processor_time_is_that_of_the_thread(guard):
    guard.count_processor_time(True)
    guard.wrap("waits", lambda: sleep(0.2))()
    assert guard.worked < 0.1 < guard.seconds
    guard.wrap("works", lambda: sum(range(3_000_000)))()
    assert guard.worked > 0.002


def test_a_function_is_called_apart_where_somebody_hears_it(guard):
    heard, apart = [False, False], []

    def call_apart(function, *args, **kwargs):
        apart.append((args, kwargs))
        return function(*args, **kwargs)

    guard.listeners, guard.apart = (lambda: heard[0], lambda: heard[1]), call_apart
    function = guard.wrap("adds", lambda one, *, other: one + other)
    assert function(1, other=2) == 3
    assert apart == []
    heard[1] = True
    assert function(3, other=4) == 7
    assert apart == [((3,), {"other": 4})]


def test_an_error_of_a_function_that_is_called_apart_ends_here_too(guard, problems):
    guard.listeners, guard.apart = (lambda: 1,), lambda function: function()
    assert guard.wrap("broken", lambda: 1 / 0)() is None
    assert [point for point, _ in problems] == ["broken"]


def test_an_error_of_a_listener_is_ours(guard, problems):
    guard.listeners = (lambda: 1 / 0,)
    assert guard.wrap("listened to", lambda: 1)() is None
    assert [point for point, _ in problems] == ["listened to"]


def test_a_fault_can_be_put_at_a_point_by_its_name(guard, problems):
    wrapped = guard.wrap("here", lambda: "done")
    fault_at("elsewhere")
    assert wrapped() == "done"
    fault_at("here")
    try:
        assert wrapped() is None
    finally:
        fault_at(None)
    assert "fault injected at `here`" in problems[0][1]


def test_tripping_twice_tells_the_first_alone(guard, problems):
    for point in ("one", "two"):
        try:
            raise ValueError(point)
        except ValueError:
            guard.trip(point)
    assert [point for point, _ in problems] == ["one"]


class Part:
    """Something of ours that holds things."""

    def __init__(self):
        self.held = [1]

    def look(self, at):
        return 10 / at

    def result(self):
        return len(self.held)

    def clear(self):
        self.held.clear()


def test_a_part_is_lost_alone_and_lets_go_of_what_it_holds(guard, problems):
    lost = Problems()
    guard.on_lost = lost
    part, other = Part(), Part()
    guard.spare("part", part, "look", "result")
    guard.spare("other", other, "look", "result")
    outer = guard.wrap("outer", lambda: (part.look(0), part.look(5), part.result(), other.look(5), other.result()))
    assert outer() == (None, None, None, 2.0, 1)
    assert part.held == []
    ((name, text),) = lost
    assert name == "part"
    assert text.rstrip().endswith("ZeroDivisionError: division by zero")
    assert guard.alive
    assert problems == []


def test_the_time_of_a_part_is_counted_once(guard, clock):
    part = Part()
    part.look = lambda: clock.__setitem__(0, clock[0] + 1.0)
    guard.spare("part", part, "look")
    guard.wrap("outer", part.look)()
    assert guard.seconds == pytest.approx(1.0)


def test_what_ends_the_program_passes_through_a_part(guard):
    part = Part()

    def ending():
        raise StepsReached

    part.look = ending
    guard.spare("part", part, "look")
    with pytest.raises(StepsReached):
        part.look()


NEAR = 40
"""Calls below the limit, fewer than ours need: who runs the tests has frames that `inspect` does not count."""


def test_where_the_program_has_filled_its_stack_ours_is_done_all_the_same(guard, problems):
    limit = sys.getrecursionlimit()

    def ours(depth):
        return ours(depth - 1) if depth else "done"

    wrapped = guard.wrap("looking", lambda: (guard.wrap("looking closer", ours)(50), sys.getrecursionlimit()))

    def theirs(depth):
        return theirs(depth - 1) if depth else wrapped()

    result, inside = theirs(limit - len(inspect.stack()) - NEAR)
    assert (result, problems) == ("done", [])
    assert inside > limit == sys.getrecursionlimit()


def test_room_on_the_stack_that_two_threads_were_given_is_taken_back_from_both(guard):
    limit, second_is_in, first_is_out = sys.getrecursionlimit(), Event(), Event()
    first = guard.wrap("first", lambda: second_is_in.wait(9))
    other = Guard(print).wrap("second", lambda: (second_is_in.set(), first_is_out.wait(9)))
    thread = Thread(target=other)
    thread.start()
    first()
    first_is_out.set()
    thread.join()
    assert sys.getrecursionlimit() == limit


def test_where_the_stack_is_full_there_is_room_to_tell_of_it(guard, problems):
    limit = sys.getrecursionlimit()

    def ours(depth):
        return ours(depth + 1)

    wrapped = guard.wrap("looking", ours)

    def theirs(depth):
        return theirs(depth - 1) if depth else wrapped(0)

    assert theirs(limit - len(inspect.stack()) - NEAR) is None
    assert [point for point, _ in problems] == ["looking"]
    assert "RecursionError" in problems[0][1]
    assert sys.getrecursionlimit() == limit
