"""Windows at the edge: runs that hold nothing, next to nothing, or nothing but nonsense. No check may stumble there."""

from collections.abc import Callable

import numpy as np

from stetho.checks.run.described import Facts
from stetho.checks.run.series import Array, Series
from stetho.checks.run.table import Table
from stetho.checks.window import SeriesKey, Window
from stetho.store.format import BATCHES, METRICS, STEPS
from stetho.testing.columns import table_of
from stetho.testing.windows import make_window


def odd_windows() -> dict[str, Window]:
    """Each with a name that tells what is odd about it.

    >>> list(odd_windows())[:3]
    ['empty', 'a model and no step', 'no model']
    """
    return {
        "empty": _with_facts(make_window(steps=0, metrics={}), Facts()),
        "a model and no step": make_window(steps=0),
        "no model": make_window(layers={}, optimizers=[], losses=[], loss_graphs=[], loaders=[], lines={}),
        "no facts": _with_facts(make_window(), Facts()),
        "only facts": _without_numbers(make_window()),
        "one step": make_window(steps=1),
        "two steps": make_window(steps=2),
        "still running": make_window(is_running=True),
        "NaN only": _filled(make_window(), np.nan),
        "infinite": _filled(make_window(), np.inf),
        "zero": _filled(make_window(), 0.0),
        "constant": _filled(make_window(), 1.0),
        "negative": _filled(make_window(), -1.0),
        **_without_a_column(),
    }


def _without_a_column() -> dict[str, Window]:
    """As of a program of which one thing could not be seen: inputs that are no tensors have no size."""
    batches = [field.name for field in BATCHES if field.name not in ("step", "phase", "model")]
    numbers = [field.name for field in STEPS if field.name not in ("step", "order", "tier", "optimizer")]
    return {
        **{f"no {name} of batches": make_window(batch={name: None}, eval_batch={name: None}) for name in batches},
        **{f"no {name} of steps": make_window(step={name: None}) for name in numbers},
    }


def _with_facts(window: Window, facts: Facts) -> Window:
    return _rebuilt(window, facts=facts)


def _without_numbers(window: Window) -> Window:
    """As a run of which only the description was written."""
    nothing = {name: table_of(schema, 0, {}) for name, schema in (("steps", STEPS), ("batches", BATCHES))}
    return Window(
        window.facts,
        steps=nothing["steps"].with_column("loss_seen", lambda: np.empty(0)),
        batches=nothing["batches"],
        metrics=table_of(METRICS, 0, {}),
        series=frozenset(),
        read=lambda _, __: None,
        read_histogram=lambda _: None,
    )


def _filled(window: Window, value: float) -> Window:
    """The same run, with every number in it replaced by one."""

    def same(table: Table) -> Table:
        return Table(table.count, {name: _column(table, name, value) for name in table})

    def read(key: SeriesKey, measure: str) -> Series | None:
        known = window._read(key, measure)
        return Series(known.steps, np.full(len(known), value)) if known is not None else None

    return _rebuilt(window, change=same, read=read)


def _rebuilt(
    window: Window,
    *,
    facts: Facts | None = None,
    change: Callable[[Table], Table] = lambda table: table,
    read: Callable[[SeriesKey, str], Series | None] | None = None,
) -> Window:
    return Window(
        window.facts if facts is None else facts,
        steps=change(window.steps),
        batches=change(window._batches),
        metrics=change(window._metrics),
        series=window.series,
        read=read or window._read,
        read_histogram=window._read_histogram,
    )


def _column(table: Table, name: str, value: float) -> Callable[[], Array]:
    column = table[name]
    if name in ("step", "loss_seen", "optimizer", "model") or (column.dtype == object and name in ("phase", "order")):
        return column.copy
    if column.dtype != object:
        return lambda: np.full(len(column), value)

    def lists() -> Array:
        filled = np.empty(len(column), object)
        for place, each in enumerate(column):
            filled[place] = np.full(len(each), value) if isinstance(each, np.ndarray) else each
        return filled

    return lists
