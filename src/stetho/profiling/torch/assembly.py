"""From what the instruments found to a profile."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from stetho.profiling.clock import StepTime, usual, waiting
from stetho.profiling.costs import Costs
from stetho.profiling.growth import growth_of, keepers
from stetho.profiling.placing import place
from stetho.profiling.records import LayerCost, LoaderCost, Measure, MemoryUse, OpCost, Profile, Span, Trial
from stetho.profiling.torch.held import Sizes
from stetho.profiling.torch.profiler import TorchProfiler
from stetho.profiling.torch.transport import loader_cost
from stetho.profiling.verdict import AS_IT_IS, judge

STEPS_IN_THE_TIME_LINE = 3
SYNCHRONISING = ("Synchronize", "_local_scalar_dense", "c10d::", "nccl:", "gloo:")
"""Parts of the names of operations that wait for a device or for other processes."""


def profile_of(profiler: TorchProfiler, callback: Callable[[Span], object] | None = None) -> Profile | None:
    """The profile; None if the program made no step that could be measured."""
    measured = profiler.measured
    bare, is_mixed = _bare(measured.times)
    if not bare:
        return None
    is_usual = usual(measured.times.get("operations", []))
    steps = [step for step, keep in zip(place(measured.events), is_usual, strict=False) if keep]
    step = Measure.of([time.wall for time in bare])
    data = Measure.of([time.data for time in bare])
    costs = Costs(steps, profiler.scopes.layers(), [] if is_mixed else [time.wall for time in bare], data.mean)
    for span in costs.spans(len(steps)) if callback is not None else ():
        callback(span)  # type: ignore[misc]  # it is there, or there is nothing to call it for
    phases = costs.phases()
    operations = _with_flops(costs.operations(), profiler)
    layers = _with_memory(costs.layers(), profiler, phases["optimizer"].mean)
    lines = profiler.sampler.lines(step.mean)
    trials = [*_at_its_best(profiler.trials.found, step), *profiler.trials.late]
    loader, memory = _loader(profiler), _memory(profiler)
    idle = waiting(bare)
    syncing = sum(each.own.mean for each in operations if any(part in each.name for part in SYNCHRONISING))
    computing = max(costs.in_operations() - syncing, 0.0)
    verdict = judge(
        step,
        data=data.mean,
        before=phases["before"].mean,
        waiting=min(max(idle, syncing), max(step.mean - data.mean - computing, 0.0)),
        operations=computing,
        dearest=operations[0] if operations else None,
        lines=lines,
        loader=loader,
        trials=trials,
        reads={line: count / _steps_of_memory(profiler) for line, count in profiler.counting.reads.items()},
        memory=memory,
    )
    return Profile(
        steps=len(steps),
        step=step,
        data=data,
        phases=phases,
        layers=tuple(layers),
        ops=tuple(operations),
        lines=tuple(lines),
        memory=memory,
        loader=loader,
        trials=tuple(trials),
        verdict=verdict,
        stacks=tuple(costs.stacks()),
        spans=tuple(costs.spans(STEPS_IN_THE_TIME_LINE)),
        added=max(costs.measured - step.mean, 0.0),
        notes=tuple(_notes(profiler, len(is_usual) - len(steps))),
    )


def _at_its_best(trials: list[Trial], step: Measure) -> list[Trial]:
    """What is tried must beat the program as it is, at the better of the two times that it was measured."""
    if not trials or trials[0].setting != AS_IT_IS or not 0 < trials[0].steps_per_second * step.mean < 1:
        return trials
    first, gain = trials[0], 1 / (trials[0].steps_per_second * step.mean)
    samples = first.samples_per_second and first.samples_per_second * gain
    return [replace(first, steps_per_second=1 / step.mean, samples_per_second=samples), *trials[1:]]


def _bare(times: dict[str, list[StepTime]]) -> tuple[list[StepTime], bool]:
    """The steps without instruments, or whatever there is where a program made too few, which is then mixed."""
    for name in ("bare", "operations"):
        found = times.get(name, [])
        kept = [time for time, keep in zip(found, usual(found), strict=True) if keep]
        if kept:
            return kept, name != "bare"
    return [], True


def _notes(profiler: TorchProfiler, left_out: int) -> Iterator[str]:
    yield from profiler.measured.notes
    if profiler.units.is_by_hand:
        yield "no optimizer steps: a step ends with its backward pass"
    if profiler.scopes.is_compiled:
        yield "compiled code is one layer: what is inside of it has no hooks"
    missing = [name for name in ("operations", "memory", "lines") if not profiler.measured.times.get(name)]
    if missing:
        yield f"not measured, for the program came to its end: {', '.join(missing)}; let it make more steps"
    if profiler.trials.left:
        left = ", ".join(profiler.trials.left)
        yield f"the program came to its end before these could be tried: {left}; let it make more steps"
    if profiler.trials.is_missing:
        yield "the program came to its end before anything could be tried; let it make more steps"
    if left_out > 1:
        yield f"{left_out} recorded steps were the first, began a loader, or took 3 times as long as others: left out"


def _with_flops(operations: list[OpCost], profiler: TorchProfiler) -> list[OpCost]:
    counted, steps = profiler.counting.flops_of_op, _steps_of_memory(profiler)
    return [replace(each, flops=counted.get((each.name, each.phase), 0) // steps) for each in operations]


def _with_memory(layers: dict[int, LayerCost], profiler: TorchProfiler, update: float) -> list[LayerCost]:
    counting, saved, steps = profiler.counting, profiler.saved, _steps_of_memory(profiler)
    held = {each.layer: each for each in profiler.held()}
    whole = sum(each.parameters for each in held.values()) or 1
    result = []
    for number, cost in layers.items():
        own = held.get(number, Sizes(number))
        result.append(
            replace(
                cost,
                optimizer=update * own.parameters / whole,
                forward_flops=counting.flops.get(("forward", number), 0) // steps,
                backward_flops=counting.flops.get(("backward", number), 0) // steps,
                saved=saved.bytes.get(number, 0) // steps,
                allocated=sum(counting.bytes.get((phase, number), 0) for phase in ("forward", "backward")) // steps,
                parameters=own.parameters,
                gradients=own.gradients,
                state=own.state,
            )
        )
    return result


def _steps_of_memory(profiler: TorchProfiler) -> int:
    return max(len(profiler.measured.times.get("memory", ())), 1)


def _memory(profiler: TorchProfiler) -> MemoryUse:
    measured, held = profiler.measured, profiler.held()
    process = measured.process
    return MemoryUse(
        parameters=sum(each.parameters for each in held),
        gradients=sum(each.gradients for each in held),
        state=sum(each.state for each in held),
        saved=sum(profiler.saved.bytes.values()) // _steps_of_memory(profiler),
        peak=profiler.counting.peak or None,
        process=process[-1][1] if process else None,
        growth=growth_of(process),
        keepers=tuple(keepers(measured.held)),
    )


def _loader(profiler: TorchProfiler) -> LoaderCost | None:
    loader = profiler.loop.loader
    if loader is None:
        return None
    return loader_cost(loader, profiler.loop.loader_line, profiler.measured.batch)
