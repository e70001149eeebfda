"""Windows made by hand. The defaults are a small classifier that trains well, so a test states only what is special."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np

from stetho.checks.run import facts
from stetho.checks.run.described import Facts
from stetho.checks.run.series import Array, Series
from stetho.checks.run.table import Table
from stetho.checks.window import SeriesKey, Window
from stetho.store.format import BATCHES, METRICS, STEPS
from stetho.testing import healthy
from stetho.testing.columns import column, table_of

Values = Any
"""A number for all steps, one for each step, a `Series`, or None for not recorded."""


class GivenFacts(TypedDict, total=False):
    """The facts that a test may set; all others are those of the healthy run."""

    models: Sequence[facts.Model]
    parameters: Sequence[facts.Parameter]
    edges: Sequence[facts.Edge | tuple[str, str]]
    optimizers: Sequence[facts.Optimizer]
    schedulers: Sequence[facts.Scheduler]
    loaders: Sequence[facts.Loader]
    losses: Sequence[facts.Loss]
    loss_graphs: Sequence[facts.LossGraph]
    loads: Sequence[facts.Load]
    hooks: Sequence[facts.HookPile]
    lines: Mapping[str, Sequence[str]]
    given: Mapping[str, Mapping[str, str]]
    notes: Sequence[Mapping[str, Any]]
    probes: Mapping[str, Mapping[str, Any]]
    info: Mapping[str, Any]
    is_running: bool


def make_window(
    *,
    steps: int = 60,
    step: Mapping[str, Values] | None = None,
    order: str | Sequence[str] = "zero_grad forward backward step",
    layers: Mapping[str, str] | Sequence[facts.Layer] | None = None,
    stats: Mapping[tuple[str, ...], Values] | None = None,
    histograms: Mapping[tuple[str, ...], Series] | None = None,
    batch: Mapping[str, Values] | None = None,
    eval_batch: Mapping[str, Values] | None = None,
    metrics: Mapping[tuple[str, str], Values] | None = None,
    **given: Unpack[GivenFacts],
) -> Window:
    """A window for a test: a healthy one, save for what is given.

    `step` and `batch` set columns of the tables `steps` and `batches` (`eval_batch` those of the evaluation, by default
    one pass every 20 steps); `stats` sets stats by `(subject, "role.measure")` or `(subject, "role.measure", phase)`;
    `metrics` by `(name, phase)`. A value is one number for all steps, a sequence, a `Series`, or None for not recorded.
    `layers` is a mapping from names to texts like "Linear(in_features=8, out_features=4, bias=True)", in the order of
    the data flow; parameters, edges and stats follow from it. All else are facts: `optimizers=[…]`, `losses=[…]`, ….

    >>> window = make_window(step={"loss": 2.3}, stats={("fc1", "act.rms"): 0.0}, layers={"fc1": "Linear(8, 4)"})
    >>> window.loss_series().last, window.layer_stat("act.rms", "fc1").last, window.parameters[0].name
    (2.3, 0.0, 'fc1.weight')
    """
    known = _facts(_layers(healthy.LAYERS if layers is None else layers), given)
    numbers = np.arange(1, steps + 1)
    measured = healthy.stats_of(known.layers, known.parameters, numbers) | _stats(stats or {}, numbers)
    given_histograms = {_key(key): series for key, series in (histograms or {}).items()}
    return Window(
        known,
        steps=_steps(numbers, step or {}, order),
        batches=_batches(numbers, batch or {}, eval_batch or {}),
        metrics=_metrics(numbers, metrics),
        series=frozenset(key for key, _ in measured) | frozenset(given_histograms),
        read=lambda key, measure: measured.get((key, measure)),
        read_histogram=given_histograms.get,
    )


def _facts(layers: tuple[facts.Layer, ...], given: GivenFacts) -> Facts:
    parameters = tuple(given.get("parameters", healthy.parameters_of(layers)))
    names = tuple(parameter.name for parameter in parameters if parameter.optimizer is not None)
    lines = given.get("lines", healthy.LINES)
    return Facts(
        models=tuple(given.get("models", healthy.models_of(layers, parameters))),
        layers=layers,
        parameters=parameters,
        edges=_edges(given.get("edges"), layers),
        optimizers=tuple(given.get("optimizers", healthy.optimizers_of(names))),
        schedulers=tuple(given.get("schedulers", ())),
        loaders=tuple(given.get("loaders", healthy.LOADERS)),
        losses=tuple(given.get("losses", healthy.LOSSES)),
        loss_graphs=tuple(given.get("loss_graphs", healthy.loss_graphs_of(names))),
        loads=tuple(given.get("loads", ())),
        hooks=tuple(given.get("hooks", ())),
        lines={event: tuple(found) for event, found in lines.items()},
        given=given.get("given", {}),
        notes=tuple(given.get("notes", ())),
        probes=given.get("probes", {}),
        info=given.get("info", {"name": "test", "exit": {"kind": "finished", "code": 0}}),
        is_running=given.get("is_running", False),
    )


def _layers(given: Mapping[str, str] | Sequence[facts.Layer]) -> tuple[facts.Layer, ...]:
    if not isinstance(given, Mapping):
        return tuple(given)
    return tuple(healthy.layer_of(name, text, place) for place, (name, text) in enumerate(given.items()))


def _edges(
    given: Sequence[facts.Edge | tuple[str, str]] | None, layers: Sequence[facts.Layer]
) -> tuple[facts.Edge, ...]:
    if given is not None:
        return tuple(edge if isinstance(edge, facts.Edge) else facts.Edge(*edge) for edge in given)
    called = [layer for layer in layers if layer.calls]
    return tuple(
        facts.Edge(one.name, other.name, (), one.model)
        for one, other in itertools.pairwise(called)
        if one.model == other.model
    )


def _steps(numbers: Array, given: Mapping[str, Values], order: str | Sequence[str]) -> Table:
    orders = [order] * len(numbers) if isinstance(order, str) else list(order)
    columns = healthy.steps_of(numbers) | {"order": orders} | dict(given)
    table = table_of(STEPS, len(numbers), {"step": numbers, **columns})
    seen = column(0.0 if columns["loss"] is None else 1.0, len(numbers))
    return table.with_column("loss_seen", lambda: seen)


def _batches(numbers: Array, given: Mapping[str, Values], given_eval: Mapping[str, Values]) -> Table:
    train = table_of(BATCHES, len(numbers), healthy.batches_of(numbers, "train") | dict(given))
    passes = numbers[19::20]
    size = max([len(passes), *(len(v) for v in given_eval.values() if isinstance(v, Sequence | np.ndarray))])
    steps = np.resize(passes, size) if len(passes) else np.arange(1, size + 1)
    evaluation = table_of(BATCHES, size, healthy.batches_of(steps, "eval") | dict(given_eval))

    def both(name: str) -> Callable[[], Array]:
        return lambda: np.concatenate([train[name], evaluation[name]])

    return Table(len(numbers) + size, {name: both(name) for name in train})


def _metrics(numbers: Array, given: Mapping[tuple[str, str], Values] | None) -> Table:
    rows: dict[str, list[Any]] = {"step": [], "name": [], "phase": [], "value": []}
    default = {("accuracy", "eval"): Series(numbers[19::20], np.linspace(0.5, 0.95, len(numbers[19::20])))}
    for (name, phase), values in (default if given is None else given).items():
        series = _series(values, numbers)
        rows["step"] += list(series.steps if series else [])
        rows["value"] += list(series.values if series else [])
        rows["name"] += [name] * len(series or ())
        rows["phase"] += [phase] * len(series or ())
    return table_of(METRICS, len(rows["step"]), rows)


def _stats(given: Mapping[tuple[str, ...], Values], numbers: Array) -> dict[tuple[SeriesKey, str], Series | None]:
    return {(_key(key), key[1].rpartition(".")[2]): _series(values, numbers) for key, values in given.items()}


def _key(key: tuple[str, ...]) -> SeriesKey:
    subject, stat, *phase = key
    role = stat.rpartition(".")[0] or stat
    return (0, subject, role, phase[0] if phase else "train")


def _series(values: Values, numbers: Array) -> Series | None:
    if values is None or isinstance(values, Series):
        return values
    return Series(numbers, column(values, len(numbers)))
