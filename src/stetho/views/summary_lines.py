"""The short view of a run: a heading, and one labelled line for each fact that is known."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from stetho.views import text
from stetho.views.notebook import cell_of
from stetho.views.summary import Curve, ModelFacts, Summary

SEPARATOR = " · "
LABEL_WIDTH = 10
WIDTH_OF_A_SPARK_LINE = 32
METRICS_SHOWN = 6
NOTES_SHOWN = 5
MODELS_SHOWN = 4
RATES_SHOWN = 4
LOSSES_SHOWN = 8
LONGEST_ERROR = 300
"""An error of a worker process brings its whole traceback along."""

Fact = tuple[str, Sequence[str]]


def print_summary(summary: Summary, file: TextIO) -> None:
    """Draw a summary on a stream."""
    from rich.text import Text

    from stetho.views.console import console_for

    console = console_for(file)
    first, *others = summary_lines(summary, console.width)
    console.print(Text(first, style="bold red" if has_failed(summary) else "bold"))
    for line in others:
        label, value = line[: LABEL_WIDTH + 2], line[LABEL_WIDTH + 2 :]
        console.print(Text.assemble((label, "dim"), (value, "yellow" if label.strip() in ("note", "error") else "")))


def summary_lines(summary: Summary, width: int) -> list[str]:
    """The summary as plain lines of at most `width` letters, save for a path or a word that is longer."""
    lines = [heading(summary)]
    for label, parts in facts(summary):
        for number, part in enumerate(wrapped(parts, width - LABEL_WIDTH - 2)):
            lines.append(f"  {label if number == 0 else '':<{LABEL_WIDTH}}{part}")
    return lines


def wrapped(parts: Sequence[str], width: int) -> Iterator[str]:
    """Parts joined by dots into lines that fit, broken between parts, and within one only where it is a sentence.

    >>> list(wrapped(["data 1 %", "forward 30 %", "rest"], 24))
    ['data 1 % · forward 30 %', 'rest']
    >>> list(wrapped(["shapes cannot be multiplied", "a.py:3"], 24))
    ['shapes cannot be', 'multiplied', 'a.py:3']
    """
    line = ""
    for part in parts:
        joined = f"{line}{SEPARATOR}{part}" if line else part
        if line and len(joined) > width:
            yield from _broken(line, width)
            joined = part
        line = joined
    yield from _broken(line, width)


def _broken(line: str, width: int) -> Iterator[str]:
    """A line that is too long, in several; a word stays whole."""
    while len(line) > width and (space := line.rfind(" ", 1, width + 1)) > 0:
        yield line[:space]
        line = line[space + 1 :]
    yield line


def heading(summary: Summary) -> str:
    """How the run ended, first of all."""
    took = f" after {text.seconds(summary.seconds)}" if summary.seconds is not None else ""
    ranks = f" on {summary.ranks} ranks" if summary.ranks > 1 else ""
    return f"stetho · {summary.name}{ranks} · {ending(summary)}{took}"


def ending(summary: Summary) -> str:
    """How the program ended, in few words."""
    if summary.state == "running":
        return "still running"
    if summary.state == "killed":
        return f"crashed ({summary.crash})" if summary.crash else "killed"
    kind, code = summary.exit_kind, summary.exit_code
    if kind == "exit" and code:
        return f"exit status {code}"
    words = {"exit": "finished", "exception": "failed", "steps reached": "stopped at the wanted step", None: "ended"}
    return words.get(kind, kind or "")


def has_failed(summary: Summary) -> bool:
    """Whether the program came to a bad end."""
    return summary.state == "killed" or summary.exit_kind == "exception" or bool(summary.exit_code)


def facts(summary: Summary) -> Iterator[Fact]:
    """Label and parts of each line that has something to say."""
    if summary.program:
        yield "program", [shlex.join(summary.program)]
    if summary.error and summary.exit_kind in ("exception", "exit"):
        place = [short_place(summary.where)] if summary.where else []
        yield "error", [text.clipped(summary.error, LONGEST_ERROR), *place]
    yield "steps", list(_steps(summary))
    yield from _losses(summary)
    for phase, metrics in sorted(summary.metrics.items(), key=_phase_order):
        yield phase, _metrics(metrics)
    if rates := _rates(summary):
        yield "lr", rates
    yield from _models(summary.models)
    if total := sum(summary.times.values()):
        names = {**dict.fromkeys(summary.times), "ours": "watching"}
        parts = [f"{names[part] or part} {text.share(spent / total)}" for part, spent in summary.times.items()]
        yield "a step", parts
    yield from _measured(summary)
    if summary.memory_peak or summary.device_memory_peak:
        device = [f"device {text.size(summary.device_memory_peak)}"] if summary.device_memory_peak else []
        yield "memory", [f"at most {text.size(summary.memory_peak)}", *device]
    if summary.capture_error:
        yield "error", [f"watching ended early: {summary.capture_error}"]
    for note in summary.notes[:NOTES_SHOWN]:
        yield "note", [note]
    if len(summary.notes) > NOTES_SHOWN:
        yield "note", [f"{len(summary.notes) - NOTES_SHOWN} more in {short_path(summary.path / 'notes.jsonl')}"]
    yield "run", [short_path(summary.path)]


def short_path(path: Path) -> str:
    """A path as one would type it from here; that of a cell of this notebook as its number.

    >>> short_path(Path.cwd() / "stetho-runs" / "a"), short_path(Path("/elsewhere"))
    ('stetho-runs/a', '/elsewhere')
    """
    absolute = path.absolute()
    is_below = absolute.is_relative_to(Path.cwd())
    return cell_of(path) or (str(absolute.relative_to(Path.cwd())) if is_below else str(path))


def short_place(where: str) -> str:
    """A file and line as one would type it from here; of a package, from its name on."""
    file, colon, line = where.rpartition(":")
    if "/site-packages/" in file:
        return where.rpartition("/site-packages/")[2]
    return f"{short_path(Path(file))}:{line}" if colon and file else where


def _steps(summary: Summary) -> Iterator[str]:
    if not summary.steps:
        if summary.crash or summary.state == "killed":
            yield f"none was written before {'the crash' if summary.crash else 'it was killed'}"
            return
        yield "none: the program imported torch, and no optimizer made a step"
        return
    yield text.count(summary.steps)
    if summary.epochs:
        # Nobody counts while we are asleep.
        yield ("at least " if summary.tiers.get("asleep") else "") + text.plural(summary.epochs, "epoch")
    if summary.steps_per_second:
        yield f"{text.rate(summary.steps_per_second)} steps/s"


def _losses(summary: Summary) -> Iterator[Fact]:
    for optimizer, curve in sorted(summary.losses.items())[:LOSSES_SHOWN]:
        label = "loss" if len(summary.losses) == 1 else f"loss {optimizer}"
        width = min(WIDTH_OF_A_SPARK_LINE, len(curve.points))
        line = [text.spark_line(curve.points, width)] if width > 1 else []
        lowest = [f"lowest {text.number(curve.lowest)}"] if curve.lowest not in (None, curve.last) else []
        yield label, [_change(curve), *lowest, *line]
    if len(summary.losses) > LOSSES_SHOWN:
        yield "loss", [f"of {len(summary.losses) - LOSSES_SHOWN} more optimizers"]


def _rates(summary: Summary) -> list[str]:
    changes = list(dict.fromkeys(_change(curve) for _, curve in sorted(summary.learning_rates.items())))
    more = len(changes) - RATES_SHOWN
    return [*changes[:RATES_SHOWN], f"and {more} more"] if more > 0 else changes


def _metrics(metrics: dict[str, float]) -> list[str]:
    shown = [f"{name} {text.number(value)}" for name, value in list(metrics.items())[:METRICS_SHOWN]]
    return [*shown, f"and {len(metrics) - METRICS_SHOWN} more"] if len(metrics) > METRICS_SHOWN else shown


def _change(curve: Curve) -> str:
    first, last = text.number(curve.first), text.number(curve.last)
    return first if first == last else f"{first} → {last}"


def _models(models: Sequence[ModelFacts]) -> Iterator[Fact]:
    for model in models[:MODELS_SHOWN]:
        parts = [model.label]
        if model.layers:
            parts.append(text.plural(model.layers, "layer"))
        trainable = "all" if model.trainable == model.parameters else text.count(model.trainable)
        parts.append(f"{text.plural(model.parameters, 'parameter')}, {trainable} trainable")
        yield "model", parts
    if len(models) > MODELS_SHOWN:
        yield "model", [f"and {len(models) - MODELS_SHOWN} more"]


def _measured(summary: Summary) -> Iterator[Fact]:
    names = {"full": "fully", "cheap": "loss and gradient norm only", "clock": "time only", "asleep": "not looked at"}
    parts = [f"{text.count(number)} {names.get(tier, tier)}" for tier, number in summary.tiers.items() if number]
    if summary.steps and len(parts) == 1 and summary.tiers.get("full"):
        parts = ["every step fully"]
    if summary.overhead is not None:
        free = f"; the first {text.seconds(summary.free_seconds)} are free" if summary.free_seconds else ""
        seconds = f" ({text.seconds(summary.overhead_seconds)}{free})" if summary.overhead_seconds is not None else ""
        parts.append(f"watching took {text.share(summary.overhead)} of the time{seconds}")
    if parts:
        yield "measured", parts


def _phase_order(item: tuple[str, object]) -> tuple[bool, bool]:
    return item[0] != "train", item[0] != "eval"
