"""Layers and parameters of a run with the last numbers that were measured on them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stetho.store import loose
from stetho.views import text
from stetho.views.table import Column

if TYPE_CHECKING:
    from stetho.store.reader import Run

LAYER_STATS = ("act.mean", "act.std", "act.absmax", "act.zeros", "act.count", "act.nan", "act.inf", "act_grad.rms")
PARAMETER_STATS = ("param.rms", "param.absmax", "grad.rms", "grad.absmax", "grad.nan", "grad.inf", "update.ratio")


@dataclass(frozen=True, slots=True)
class Subject:
    """A layer or a parameter: what the model says about it, and the last value of each stat."""

    model: int
    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    step: int | None = None
    stats: dict[str, float] = field(default_factory=dict)


def layers_of(run: "Run") -> list[Subject]:
    """The layers of the watched models, in their own order."""
    return _subjects(run, "layers", LAYER_STATS)


def parameters_of(run: "Run") -> list[Subject]:
    """The parameters of the watched models, in their own order."""
    return _subjects(run, "parameters", PARAMETER_STATS)


def layer_table(layers: Sequence[Subject]) -> tuple[list[Column], list[list[str]]]:
    """Columns and rows for layers."""
    columns: list[tuple[Column, Callable[[Subject], str]]] = [
        (Column("layer", is_text=True), lambda each: each.name or "(root)"),
        (
            Column("class", is_text=True, is_optional=True),
            lambda each: loose.line(each.facts.get("class")) or text.MISSING,
        ),
        (
            Column("output", is_text=True, is_optional=True),
            lambda each: loose.line(each.facts.get("output")) or text.MISSING,
        ),
        (Column("step", is_optional=True), lambda each: text.count(each.step)),
        (Column("mean"), lambda each: text.number(each.stats.get("act.mean"))),
        (Column("std"), lambda each: text.number(each.stats.get("act.std"))),
        (Column("absmax"), lambda each: text.number(each.stats.get("act.absmax"))),
        (Column("zeros"), lambda each: text.share(_share(each.stats, "act.zeros", "act.count"))),
        (Column("grad rms"), lambda each: text.number(each.stats.get("act_grad.rms"))),
    ]
    return _table(columns, layers, "act")


def parameter_table(parameters: Sequence[Subject]) -> tuple[list[Column], list[list[str]]]:
    """Columns and rows for parameters."""
    columns: list[tuple[Column, Callable[[Subject], str]]] = [
        (Column("parameter", is_text=True), lambda each: each.name),
        (Column("shape", is_text=True, is_optional=True), lambda each: _shape(each.facts)),
        (Column("step", is_optional=True), lambda each: text.count(each.step)),
        (Column("value rms"), lambda each: text.number(each.stats.get("param.rms"))),
        (Column("grad rms"), lambda each: _gradient(each)),
        (Column("update/value"), lambda each: text.number(each.stats.get("update.ratio"))),
    ]
    return _table(columns, parameters, "grad")


def _table(
    columns: list[tuple[Column, Callable[[Subject], str]]], subjects: Sequence[Subject], role: str
) -> tuple[list[Column], list[list[str]]]:
    if len({each.model for each in subjects}) > 1:
        columns.insert(0, (Column("model"), lambda each: str(each.model)))
    if any(_not_finite(each, role) for each in subjects):
        columns.append((Column("not finite"), lambda each: text.count(_not_finite(each, role))))
    return [column for column, _ in columns], [[show(each) for _, show in columns] for each in subjects]


def _subjects(run: "Run", kind: str, stats: Sequence[str]) -> list[Subject]:
    roles = {stat.rpartition(".")[0] for stat in stats}
    series = {
        (one.model, one.name, one.role): one.id for one in run.series if one.role in roles and one.phase == "train"
    }
    subjects = []
    for model, name, facts in _described(run, kind, series):
        last = {stat: _last(run, series.get((model, name, stat.rpartition(".")[0])), stat) for stat in stats}
        known = {stat: value for stat, value in last.items() if value is not None}
        step = max((step for step, _ in known.values()), default=None)
        subjects.append(Subject(model, name, facts, step, {stat: value for stat, (_, value) in known.items()}))
    return subjects


def _described(
    run: "Run", kind: str, series: dict[tuple[int, str, str], int]
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """What model.json lists, then what was measured without being listed there."""
    seen: set[tuple[int, str]] = set()
    for model in loose.mappings(run.model.get("models")):
        number = loose.whole(model.get("id")) or 0
        for facts in loose.mappings(model.get(kind)):
            name = facts.get("name")
            if isinstance(name, str) and (number, name) not in seen:
                seen.add((number, name))
                yield number, name, facts
    for number, name, _ in series:
        if (number, name) not in seen:
            seen.add((number, name))
            yield number, name, {}


def _last(run: "Run", series: int | None, stat: str) -> tuple[int, float] | None:
    if series is None:
        return None
    steps, values = run.rows("stats").of_series(series, stat.rpartition(".")[2])
    return (int(steps[-1]), float(values[-1])) if len(steps) else None


def _share(stats: dict[str, float], part: str, whole: str) -> float | None:
    return stats[part] / stats[whole] if part in stats and stats.get(whole) else None


def _not_finite(subject: Subject, role: str) -> int:
    return int(sum(subject.stats.get(f"{role}.{measure}", 0) for measure in ("nan", "inf")))


def _gradient(subject: Subject) -> str:
    if subject.facts.get("trainable") is False:
        return "frozen"
    return text.number(subject.stats.get("grad.rms"))


def _shape(facts: dict[str, Any]) -> str:
    shape = facts.get("shape")
    if not isinstance(shape, list):
        return text.MISSING
    return "×".join(map(str, shape)) or "scalar"
