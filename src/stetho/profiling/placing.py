"""From a flat list of events to a tree: which step, phase and layer each of them belongs to, and its own time.

Forward operations belong to the layer whose scope is around them; backward nodes to the layer of the forward operation
with the same sequence number. Time between two backward nodes belongs to the first of them.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stetho.profiling.events import BACKWARD_NODE, LAYER, LOADING, MARK, PHASE, UPDATE, ZEROING, Event

Path = tuple[int, ...]
"""Numbers of layers, the outermost first."""

WEIGHT_OF_A_LAYER = 3.0
"""What the two hooks of a layer cost, in units of what an operation's event costs."""


@dataclass(slots=True, eq=False)
class Placed:
    """An event with its place in the tree. `own` is its time without what it calls; `weight` counts our own marks."""

    event: Event
    step: int
    phase: str
    path: Path
    is_op: bool
    own: int
    gap: int = 0
    weight: float = 0.5
    last: Placed | None = field(default=None, repr=False)
    end_of_last: int = 0

    @property
    def name(self) -> str:
        """What it is called; of a backward node, without what the engine puts before it."""
        return self.event.name.removeprefix(BACKWARD_NODE)

    @property
    def total(self) -> int:
        """Its whole time."""
        return self.event.end - self.event.start


@dataclass(slots=True)
class Step:
    """One profiled step: its events, and the time that passed outside of all of them."""

    number: int
    start: int
    end: int
    placed: list[Placed] = field(default_factory=list)
    outside: int = 0
    before: int = 0
    """The part of `outside`, and of operations outside of layers, before the first layer was called."""

    @property
    def wall(self) -> int:
        """How long it took."""
        return self.end - self.start


def place(events: Sequence[Event]) -> list[Step]:
    """The steps between the marks.

    >>> marks = [Event(MARK, 0, 0), Event(MARK, 100, 100)]
    >>> inside = [Event("stetho.layer:4", 10, 50), Event("aten::mm", 20, 40)]
    >>> (step,) = place([*marks, *inside])
    >>> [(one.event.name, one.phase, one.path, one.own) for one in step.placed]
    [('stetho.layer:4', 'forward', (4,), 20), ('aten::mm', 'forward', (4,), 20)]
    >>> step.outside, step.before
    (60, 10)
    """
    marks = sorted(event.start for event in events if event.name == MARK)
    if len(marks) < 2:
        return []
    main = next(event.thread for event in events if event.name == MARK)
    steps = [Step(number, start, end) for number, (start, end) in enumerate(itertools.pairwise(marks))]
    of_forward: dict[tuple[int, int], Path] = {}
    threads = {event.thread for event in events if not event.is_accelerator}
    for thread in sorted(threads, key=lambda one: one != main):
        _place_thread([each for each in events if each.thread == thread], steps, marks, of_forward, thread == main)
        for step in steps:
            if thread == main:
                _close(step)
    for step in steps:
        _hand_over(step, main)
    return steps


def _place_thread(
    events: Iterable[Event],
    steps: list[Step],
    marks: list[int],
    of_forward: dict[tuple[int, int], Path],
    is_main: bool,
) -> None:
    stack: list[Placed] = []
    for event in sorted(events, key=lambda one: (one.start, -one.end)):
        number = bisect_right(marks, event.start) - 1
        if event.name == MARK or not 0 <= number < len(steps):
            continue
        while stack and stack[-1].event.end <= event.start:
            stack.pop()
        # A scope that was begun in the step before, as an update in whose hook the step ends, is none of this one.
        if stack and stack[-1].step != number:
            stack.clear()
        parent = stack[-1] if stack else None
        if parent is not None and parent.event.name == BACKWARD_NODE + event.name:
            continue  # the node inside of the engine's own scope for it: one of the two is enough
        placed = _placed(event, number, parent, of_forward)
        # Threads of the program's own run beside its steps; those of the engine are a part of them.
        if is_main or parent is not None or placed.phase == "backward":
            steps[number].placed.append(placed)
            stack.append(placed)


def _close(step: Step) -> None:
    """The time outside of all events, and the part of it before the first layer."""
    first = min((each.event.start for each in step.placed if each.event.name.startswith(LAYER)), default=step.start)
    last_end = step.start
    for each in _outermost(step.placed):
        gap = max(each.event.start - last_end, 0)
        last_end = min(each.event.end, step.end)
        step.outside += gap
        if last_end <= first and each.phase == "other":
            step.before += gap + each.total
        elif each.event.start <= first:
            step.before += gap
    step.outside += max(step.end - last_end, 0)


def _outermost(placed: Iterable[Placed]) -> Iterable[Placed]:
    end = -1
    for each in placed:
        if each.event.start >= end:
            end = each.event.end
            yield each


def _hand_over(step: Step, main: int) -> None:
    """Backward nodes that ran in a thread of the engine take their time from the call that waited for them."""
    for waiting in step.placed:
        if waiting.event.name == f"{PHASE}backward" and waiting.last is None:
            inside = [
                each
                for each in step.placed
                if each.event.thread != main
                and each.event.name.startswith(BACKWARD_NODE)
                and waiting.event.start <= each.event.start < waiting.event.end
            ]
            waiting.own = max(waiting.own - sum(each.total for each in inside), 0)


def _placed(event: Event, number: int, parent: Placed | None, of_forward: dict[tuple[int, int], Path]) -> Placed:
    name = event.name
    phase, path = (parent.phase, parent.path) if parent is not None else ("other", ())
    is_op = False
    if name.startswith(LAYER):
        path = (*path, int(name.removeprefix(LAYER)))
        phase = phase if phase == "backward" else "forward"
    elif name.startswith(PHASE):
        phase = name.removeprefix(PHASE)
    elif name.startswith((UPDATE, ZEROING)):
        phase = "optimizer"
    elif name.startswith(LOADING):
        phase = "data"
    elif name.startswith(BACKWARD_NODE):
        phase = "backward"
        is_op = True
        last = parent.last if parent is not None else None
        # A node that only adds to a gradient has no number of its own: it follows the one that made the gradient.
        path = of_forward.get((event.forward_thread, event.sequence), last.path if last is not None else path)
    else:
        is_op = True
        if event.sequence >= 0 and phase != "backward":
            of_forward[event.thread, event.sequence] = path
    placed = Placed(event, number, phase, path, is_op, event.end - event.start)
    if name.startswith(LAYER):
        placed.weight = 1.0
    if parent is not None:
        _inside(placed, parent)
    return placed


def _inside(placed: Placed, parent: Placed) -> None:
    parent.own -= placed.total
    parent.weight += WEIGHT_OF_A_LAYER if placed.event.name.startswith(LAYER) else 0.5
    if parent.event.name == f"{PHASE}backward":
        before = parent.last if parent.last is not None else placed
        gap = placed.event.start - (parent.end_of_last or parent.event.start)
        before.gap += gap
        parent.own -= gap
        parent.last, parent.end_of_last = placed, placed.event.end
