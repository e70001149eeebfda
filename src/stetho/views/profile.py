"""A profile for the terminal: tables of layers, operations, lines and trials, memory, and the verdict last."""

import re
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import TextIO

from stetho.profiling.records import LayerCost, LineCost, OpCost, Profile, Trial
from stetho.views import text
from stetho.views.console import console_for, is_unbounded
from stetho.views.folding import labelled
from stetho.views.profile_facts import Fact, brief, loader_facts, memory_facts, step_facts
from stetho.views.summary_lines import short_place
from stetho.views.table import Column, print_table

LAYERS_SHOWN = 15
OPERATIONS_SHOWN = 10
LINES_SHOWN = 6
WIDTH_OF_A_LABEL = 10
_PLACE = re.compile(r"/\S+\.py:\d+")


def print_profile(profile: Profile, file: TextIO, *, title: str, whole: bool = False) -> None:
    """Draw everything; `whole` leaves no layer and no operation out."""
    file.write(f"stetho profile · {title} · {text.plural(profile.steps, 'step')} recorded\n")
    _print_facts(step_facts(profile), file, start=2)
    _print_layers(profile, file, whole)
    _print_operations(profile, file, whole)
    _print_lines(profile, file)
    file.write("\n")
    _print_facts(memory_facts(profile.memory), file)
    _print_facts(loader_facts(profile), file)
    _print_trials(profile.trials, file)
    _print_verdict(profile, file)


def _print_facts(facts: Iterable[Fact], file: TextIO, *, start: int = 0) -> None:
    width = console_for(file).width
    for label, content in facts:
        # A share stays on the line of its number.
        whole = content.replace(" %", "\N{NO-BREAK SPACE}%")
        for line in labelled(label, "", whole, "", start + WIDTH_OF_A_LABEL, width, start=start):
            file.write("".join(piece for piece, _ in line).rstrip().replace("\N{NO-BREAK SPACE}%", " %") + "\n")


def _print_layers(profile: Profile, file: TextIO, whole: bool) -> None:
    if not profile.layers:
        return
    ranked = sorted(profile.layers, key=lambda layer: -layer.seconds)
    shown = ranked if whole else ranked[:LAYERS_SHOWN]
    columns = [
        Column("layer", is_text=True, is_dotted=True),
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
        brief(layer.forward.mean),
        brief(layer.backward.mean),
        brief(layer.optimizer) if layer.optimizer else "",
        text.share(layer.seconds / (step or 1)),
        brief(layer.forward_total.mean + layer.backward_total.mean),
        text.size(layer.saved) if layer.saved else "",
        _rate(layer.flops_per_second),
        brief(layer.forward.spread),
        brief(layer.backward.spread),
        text.amount(layer.forward_flops + layer.backward_flops),
        text.number(layer.calls),
        layer.kind,
    ]


def _blank(name: str, spent: float, step: float, columns: int) -> list[str]:
    row = [name, "", "", "", text.share(spent / (step or 1)), brief(spent)]
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
        operation.name.removeprefix("aten::"),
        operation.phase,
        brief(operation.own.mean),
        text.share(operation.own.mean / (step or 1)),
        text.number(operation.calls),
        brief(operation.own.spread),
        brief(operation.total.mean),
        _rate(operation.flops_per_second),
        operation.layer,
    ]


def _print_lines(profile: Profile, file: TextIO) -> None:
    if not profile.lines:
        return
    columns = [Column("line", is_text=True), Column("time"), Column("share"), Column("code", is_text=True)]
    merged: dict[str, list[LineCost]] = {}
    for line in profile.lines:
        merged.setdefault(line.place, []).append(line)
    spent = {place: sum(line.seconds for line in lines) for place, lines in merged.items()}
    rows = [
        [
            short_place(place),
            brief(spent[place]),
            text.share(spent[place] / (profile.step.mean or 1)),
            text.clipped(merged[place][0].code, 60),
        ]
        for place in sorted(merged, key=lambda one: -spent[one])[:LINES_SHOWN]
    ]
    file.write("\nlines of the program, by samples\n")
    print_table(columns, rows, file)


def _print_trials(trials: Sequence[Trial], file: TextIO) -> None:
    if not trials:
        return
    base = trials[0].steps_per_second
    columns = [Column("tried", is_text=True), Column("steps/s"), Column("gain"), Column("samples/s"), Column("steps")]
    rows = [
        [
            trial.setting,
            *(_measures(trial, base) if trial.problem is None else [text.MISSING] * 3),
            text.count(trial.steps) if trial.steps or trial.problem is None else text.MISSING,
        ]
        for trial in trials
    ]
    file.write("\n")
    print_table(columns, rows, file)
    problems: dict[str, list[str]] = {}
    for trial in trials:
        if trial.problem is not None:
            problems.setdefault(trial.problem, []).append(trial.setting)
    _print_facts((("unknown", f"{'; '.join(named)}: {problem}") for problem, named in problems.items()), file)


def _measures(trial: Trial, base: float) -> list[str]:
    gain = f"{trial.steps_per_second / base:.2f} ×" if base else ""
    return [text.rate(trial.steps_per_second), gain, text.rate(trial.samples_per_second)]


def _print_verdict(profile: Profile, file: TextIO) -> None:
    verdict = profile.verdict
    if verdict is None:
        return
    lines = [verdict.text, *([verdict.growing] if verdict.growing else [])]
    lines = [_PLACE.sub(lambda place: short_place(place[0]), line) for line in lines] + [
        f"  try: {each}" for each in verdict.advice
    ]
    width = None if is_unbounded(file) else console_for(file).width
    file.write("\n")
    for line in lines:
        indent = "       " if line.startswith("  try: ") else "  "
        file.write((line if width is None else fill(line, width, subsequent_indent=indent)) + "\n")


def _rate(value: float | None) -> str:
    return text.amount(round(value)) if value else ""
