"""A profile for the terminal: tables of layers, operations, lines and trials, memory, and the verdict last."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from stetho.profiling.events import BACKWARD_NODE
from stetho.profiling.records import Keeper, LayerCost, MemoryUse, OpCost, Profile, Trial
from stetho.views import text
from stetho.views.console import console_for
from stetho.views.summary_lines import short_place
from stetho.views.table import Column, print_table

LAYERS_SHOWN = 15
OPERATIONS_SHOWN = 10
LINES_SHOWN = 6
GROWS = 16 * 1024
"""Bytes a step. Below this a process grows by what Python itself keeps."""


def print_profile(profile: Profile, file: TextIO, *, title: str, whole: bool = False) -> None:
    """Draw everything; `whole` leaves no layer and no operation out."""
    file.write(f"stetho profile · {title} · {text.plural(profile.steps, 'step')} recorded\n")
    for line in _step_lines(profile):
        file.write(f"  {line}\n")
    _print_layers(profile, file, whole)
    _print_operations(profile, file, whole)
    _print_lines(profile, file)
    for line in _memory_lines(profile.memory):
        file.write(f"{line}\n")
    for line in _loader_lines(profile):
        file.write(f"{line}\n")
    _print_trials(profile.trials, file)
    _print_verdict(profile, file)


def _step_lines(profile: Profile) -> Iterator[str]:
    step = profile.step
    yield (f"a step    {_time(step.mean)} ± {_time(step.spread)} · {text.rate(profile.steps_per_second)} steps/s")
    parts = [(name, measure.mean) for name, measure in profile.phases.items() if name != "before"]
    yield "of it     " + " · ".join(f"{name} {text.share(spent / (step.mean or 1))}" for name, spent in parts)
    if profile.added:
        yield f"measured  instruments added {text.share(profile.added / (step.mean or 1))}, which is taken off below"
    for note in profile.notes:
        yield f"note      {note}"


def _print_layers(profile: Profile, file: TextIO, whole: bool) -> None:
    if not profile.layers:
        return
    ranked = sorted(profile.layers, key=lambda layer: -layer.seconds)
    shown = ranked if whole else ranked[:LAYERS_SHOWN]
    columns = [
        Column("layer", is_text=True),
        Column("forward"),
        Column("backward"),
        Column("update"),
        Column("share"),
        Column("total"),
        Column("saved"),
        Column("FLOP/s", is_optional=True),
        Column("± forward", is_optional=True),
        Column("± backward", is_optional=True),
        Column("FLOP", is_optional=True),
        Column("calls", is_optional=True),
        Column("class", is_text=True, is_optional=True),
    ]
    rows = [_layer_row(layer, profile.step.mean) for layer in shown]
    rest = ranked[len(shown) :]
    if rest:
        spent = sum(layer.seconds for layer in rest)
        rows.append(_blank(f"{text.plural(len(rest), 'more layer')}", spent, profile.step.mean, len(columns)))
    outside = max(profile.step.mean - sum(layer.seconds for layer in ranked), 0.0)
    rows.append(_blank("outside of layers", outside, profile.step.mean, len(columns)))
    file.write("\nlayers, their own time in a step\n")
    print_table(columns, rows, file)


def _layer_row(layer: LayerCost, step: float) -> list[str]:
    return [
        layer.name,
        _time(layer.forward.mean),
        _time(layer.backward.mean),
        _time(layer.optimizer) if layer.optimizer else "",
        text.share(layer.seconds / (step or 1)),
        _time(layer.forward_total.mean + layer.backward_total.mean),
        text.size(layer.saved) if layer.saved else "",
        _rate(layer.flops_per_second),
        _time(layer.forward.spread),
        _time(layer.backward.spread),
        text.amount(layer.forward_flops + layer.backward_flops),
        f"{layer.calls:g}",
        layer.kind,
    ]


def _blank(name: str, spent: float, step: float, columns: int) -> list[str]:
    row = [name, "", "", "", text.share(spent / (step or 1)), _time(spent)]
    return row + [""] * (columns - len(row))


def _print_operations(profile: Profile, file: TextIO, whole: bool) -> None:
    if not profile.ops:
        return
    shown = profile.ops if whole else profile.ops[:OPERATIONS_SHOWN]
    columns = [
        Column("operation", is_text=True),
        Column("phase", is_text=True),
        Column("own"),
        Column("share"),
        Column("calls"),
        Column("±", is_optional=True),
        Column("total", is_optional=True),
        Column("FLOP/s", is_optional=True),
        Column("mostly in", is_text=True, is_optional=True),
    ]
    file.write("\noperations, their own time in a step\n")
    print_table(columns, [_operation_row(each, profile.step.mean) for each in shown], file)


def _operation_row(operation: OpCost, step: float) -> list[str]:
    return [
        operation.name.removeprefix(BACKWARD_NODE).removeprefix("aten::"),
        operation.phase,
        _time(operation.own.mean),
        text.share(operation.own.mean / (step or 1)),
        f"{operation.calls:g}",
        _time(operation.own.spread),
        _time(operation.total.mean),
        _rate(operation.flops_per_second),
        operation.layer,
    ]


def _print_lines(profile: Profile, file: TextIO) -> None:
    if not profile.lines:
        return
    columns = [Column("line", is_text=True), Column("time"), Column("share"), Column("code", is_text=True)]
    rows = [
        [
            short_place(line.place),
            _time(line.seconds),
            text.share(line.seconds / (profile.step.mean or 1)),
            text.clipped(line.code, 60),
        ]
        for line in profile.lines[:LINES_SHOWN]
    ]
    file.write("\nlines of the program, by samples\n")
    print_table(columns, rows, file)


def _memory_lines(memory: MemoryUse) -> Iterator[str]:
    yield ""
    held = [("parameters", memory.parameters), ("gradients", memory.gradients), ("optimizer state", memory.state)]
    yield "memory    " + " · ".join(f"{name} {text.size(size)}" for name, size in held)
    peak = f" · at most {text.size(memory.peak)} made and alive at once" if memory.peak else ""
    yield f"          saved for backward {text.size(memory.saved)}{peak}"
    for keeper in memory.keepers:
        yield f"grows     {_keeper(keeper)}"
    if memory.growth > GROWS and not memory.keepers:
        yield f"grows     the process, by {text.size(round(memory.growth))} a step; no name of the program holds more"


def _keeper(keeper: Keeper) -> str:
    where = f" in {keeper.function}" if keeper.function else ""
    amounts = [
        f"{text.size(round(keeper.bytes_per_step))}" if keeper.bytes_per_step >= 1 else "",
        _several(keeper.tensors_per_step, "tensor") if keeper.tensors_per_step else "",
        _several(keeper.nodes_per_step, "node") + " of graphs" if keeper.nodes_per_step else "",
    ]
    grown = ", ".join(amount for amount in amounts if amount)
    lines = ", ".join(short_place(line) for line in keeper.lines)
    graph = "; keep `.item()` or `.detach()` of it instead" if keeper.nodes_per_step else ""
    return f"`{keeper.name}`{where} keeps {grown} more each step" + (f" · {lines}" if lines else "") + graph


def _several(value: float, name: str) -> str:
    return f"{text.number(value)} {name}{'' if value == 1 else 's'}"


def _loader_lines(profile: Profile) -> Iterator[str]:
    loader = profile.loader
    if loader is None:
        return
    place = f" · {short_place(loader.line)}" if loader.line else ""
    yield f"loader    {loader.name}, {loader.workers} workers, batch {loader.batch_size or 'of its own'}{place}"
    if not loader.batch_bytes:
        return
    yield f"          a sample is {text.size(loader.sample_bytes)}, a batch {text.size(loader.batch_bytes)}"
    for each in loader.fields:
        yield f"          {each}"
    yield (
        f"          from a worker: pickling {_time(loader.pickle_seconds)}, "
        f"unpickling {_time(loader.unpickle_seconds)} a batch"
    )


def _print_trials(trials: Sequence[Trial], file: TextIO) -> None:
    if not trials:
        return
    base = trials[0].steps_per_second
    columns = [Column("tried", is_text=True), Column("steps/s"), Column("gain"), Column("samples/s"), Column("steps")]
    rows = [
        [trial.setting, f"failed: {trial.problem}", "", "", ""]
        if trial.problem
        else [
            trial.setting,
            text.rate(trial.steps_per_second),
            f"{trial.steps_per_second / base:.2f} ×" if base else "",
            text.rate(trial.samples_per_second),
            text.count(trial.steps),
        ]
        for trial in trials
    ]
    file.write("\n")
    print_table(columns, rows, file)


def _print_verdict(profile: Profile, file: TextIO) -> None:
    verdict = profile.verdict
    if verdict is None:
        return
    console = console_for(file)
    file.write("\n")
    with console.capture() as drawn:
        console.print(verdict.text.replace(f"{Path.cwd()}/", ""), soft_wrap=False)
        for advice in verdict.advice:
            console.print(f"  try: {advice}", soft_wrap=False)
    file.write(drawn.get())


def _rate(value: float | None) -> str:
    return text.amount(round(value)) if value else ""


def _time(seconds: float) -> str:
    """A stretch of a step; text.seconds knows nothing below a millisecond."""
    return f"{seconds * 1e6:.3g} µs" if 0 < seconds < 1e-3 else text.seconds(seconds)
