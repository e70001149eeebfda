"""From placed events to costs: what the instruments added is taken off, and the rest summed by layer, operation, stack.

The instruments cost about the same for each mark that they make. So a slowed-down step is brought back to the length
that steps have without them: first by a price for each mark, then, for what is left, by one factor for all.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from math import inf
from statistics import median

from stetho.profiling.events import LAYER
from stetho.profiling.placing import Path, Placed, Step
from stetho.profiling.records import PHASES, Layer, LayerCost, Measure, OpCost, Span

DEAREST_MARK = 3e-6
"""Seconds. What is above this for each mark is noise of the machine and not the price of a mark."""

INTERRUPTED = 10.0
"""An event of so many times the median of its kind was interrupted by the machine; it counts as that much."""

LEAST_OF_A_KIND = 5
UNDISTURBED = 0.1
"""Noise only ever makes steps longer: the price is told from steps at this quantile, with and without instruments."""

Key = tuple[str, Path]


class Costs:
    """The corrected times of some steps.

    `bare` are the lengths of steps without instruments, in seconds, and `data` is what such a step spends on data;
    without them the times are taken as they are.
    """

    def __init__(
        self, steps: Sequence[Step], layers: Sequence[Layer], bare: Sequence[float] = (), data: float = 0.0
    ) -> None:
        self._steps = steps
        self._layers = layers
        raw = [_seconds(step.wall) for step in steps]
        self.measured = sum(raw) / len(raw) if raw else 0.0
        wanted = sum(bare) / len(bare) if bare else self.measured
        marks = sum(each.weight for step in steps for each in step.placed) / max(len(steps), 1)
        added = _low(raw) - _low(bare) if raw and bare else 0.0
        self._most = self._limits()
        self._price = min(max(added, 0.0) / marks, DEAREST_MARK) if marks else 0.0
        self._factor = self._data_factor = 1.0
        left = sum(self._total_of(step) for step in steps) / max(len(steps), 1)
        left_data = sum(self.own(each) for step in steps for each in step.placed if each.phase == "data")
        left_data /= max(len(steps), 1)
        is_known = bool(bare) and 0 < data < wanted and 0 < left_data < left
        # Loading has few marks of ours and much Python: its price is none of the others'.
        self._factor = (wanted - data) / (left - left_data) if is_known else wanted / left if left else 1.0
        self._data_factor = data / left_data if is_known else self._factor

    def phases(self) -> dict[str, Measure]:
        """The time in each phase; `before` is the part of `other` that lies before the first layer."""
        times: dict[str, list[float]] = {phase: [] for phase in (*PHASES, "before")}
        for step in self._steps:
            sums: dict[str, float] = defaultdict(float, other=_seconds(step.outside) * self._factor)
            for each in step.placed:
                sums[each.phase if each.phase in PHASES else "other"] += self.own(each)
            for phase in PHASES:
                times[phase].append(sums[phase])
            times["before"].append(min(_seconds(step.before) * self._factor, sums["other"]))
        return {phase: Measure.of(values) for phase, values in times.items()}

    def in_operations(self) -> float:
        """The part of a step that passes inside of operations, and not between them; those on data are left out."""
        every = (each for step in self._steps for each in step.placed if each.is_op and each.phase != "data")
        return sum(self.own(each, with_gap=False) for each in every) / max(len(self._steps), 1)

    def layers(self) -> dict[int, LayerCost]:
        """The layers by their numbers, in the order of their first call."""
        own = self._by_step(lambda each: [(each.phase, each.path[-1:])])
        total = self._by_step(lambda each: [(each.phase, (one,)) for one in set(each.path)])
        calls: dict[int, int] = defaultdict(int)
        depth: dict[int, int] = {}
        for step in self._steps:
            for each in step.placed:
                if each.event.name.startswith(LAYER):
                    depth.setdefault(each.path[-1], len(each.path) - 1)
                    calls[each.path[-1]] += each.phase == "forward"
        return {
            one: LayerCost(
                name=self._layers[one].name,
                kind=self._layers[one].kind,
                depth=depth[one],
                calls=calls[one] / len(self._steps),
                forward=Measure.of(own["forward", (one,)]),
                backward=Measure.of(own["backward", (one,)]),
                forward_total=Measure.of(total["forward", (one,)]),
                backward_total=Measure.of(total["backward", (one,)]),
            )
            for one in depth
        }

    def operations(self) -> list[OpCost]:
        """The operations, the dearest first."""
        number = len(self._steps)
        own: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * number)
        total: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0] * number)
        calls: dict[tuple[str, str], int] = defaultdict(int)
        homes: dict[tuple[str, str], dict[Path, float]] = defaultdict(lambda: defaultdict(float))
        for place, step in enumerate(self._steps):
            totals = self._totals(step)
            for each in step.placed:
                if each.is_op:
                    key = each.name, each.phase
                    spent = self.own(each, with_gap=False)
                    own[key][place] += spent
                    total[key][place] += totals[id(each)]
                    calls[key] += 1
                    homes[key][each.path] += spent
        found = [
            OpCost(
                name=name,
                phase=phase,
                calls=calls[name, phase] / number,
                own=Measure.of(own[name, phase]),
                total=Measure.of(total[name, phase]),
                layer=self.name_of(max(homes[name, phase], key=lambda path: homes[name, phase][path])),
            )
            for name, phase in own
        ]
        return sorted(found, key=lambda one: -one.own.mean)

    def stacks(self) -> list[tuple[tuple[str, ...], float]]:
        """Seconds a step for each stack: phase, layers, operation."""
        sums: dict[tuple[str, ...], float] = defaultdict(float)
        for step in self._steps:
            sums["other",] += _seconds(step.outside) * self._factor
            for each in step.placed:
                operation = (each.name,) if each.is_op else ()
                sums[(each.phase, *(self._layers[one].name for one in each.path), *operation)] += self.own(each)
        return [(stack, spent / len(self._steps)) for stack, spent in sums.items() if spent > 0]

    def spans(self, most: int) -> list[Span]:
        """The time line of the first steps, as it was measured."""
        if not self._steps:
            return []
        zero = self._steps[0].start
        return [
            Span(
                name=each.name if each.is_op else self.name_of(each.path) or each.phase,
                kind="operation" if each.is_op else "layer" if each.event.name.startswith(LAYER) else "phase",
                layer=self.name_of(each.path),
                step=step.number,
                start=_seconds(each.event.start - zero),
                seconds=_seconds(each.total),
                thread=each.event.thread,
            )
            for step in self._steps[:most]
            for each in step.placed
        ]

    def name_of(self, path: Path) -> str:
        """The name of the innermost layer of a path."""
        return self._layers[path[-1]].name if path else ""

    def own(self, placed: Placed, *, with_gap: bool = True) -> float:
        """Corrected seconds of one event without what it calls."""
        spent = min(_seconds(placed.own), self._most.get(_kind(placed), inf))
        spent += _seconds(placed.gap) if with_gap else 0.0
        return max(spent - self._price * placed.weight, 0.0) * self._factor_of(placed)

    def _totals(self, step: Step) -> dict[int, float]:
        """By the identity of an event, its corrected seconds with all that it calls: never more than the step has."""
        totals: dict[int, float] = {}
        begun: dict[int, list[Placed]] = defaultdict(list)
        for each in sorted(step.placed, key=lambda one: (one.event.start, -one.event.end)):
            above = begun[each.event.thread]
            while above and above[-1].event.end <= each.event.start:
                above.pop()
            spent = self.own(each)
            for caller in above:
                totals[id(caller)] += spent
            totals[id(each)] = self.own(each, with_gap=False)
            above.append(each)
        return totals

    def _factor_of(self, placed: Placed) -> float:
        return self._data_factor if placed.phase == "data" else self._factor

    def _limits(self) -> dict[tuple[str, str, Path], float]:
        times: dict[tuple[str, str, Path], list[float]] = defaultdict(list)
        for step in self._steps:
            for each in step.placed:
                times[_kind(each)].append(_seconds(each.own))
        return {kind: INTERRUPTED * median(spent) for kind, spent in times.items() if len(spent) >= LEAST_OF_A_KIND}

    def _total_of(self, step: Step) -> float:
        return _seconds(step.outside) + sum(self.own(each) for each in step.placed)

    def _by_step(self, keys: Callable[[Placed], Sequence[Key]]) -> Mapping[Key, list[float]]:
        number = len(self._steps)
        sums: dict[Key, list[float]] = defaultdict(lambda: [0.0] * number)
        for place, step in enumerate(self._steps):
            for each in step.placed:
                spent = self.own(each)
                for key in keys(each):
                    sums[key][place] += spent
        return sums


def _kind(placed: Placed) -> tuple[str, str, Path]:
    return placed.event.name, placed.phase, placed.path


def _seconds(nanoseconds: int) -> float:
    return nanoseconds * 1e-9


def _low(values: Sequence[float]) -> float:
    return sorted(values)[int(UNDISTURBED * (len(values) - 1))]
