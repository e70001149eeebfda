"""What a run was, in one small record: made from the recorded run alone, drawn elsewhere."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stetho.errors import error_line
from stetho.store import loose

if TYPE_CHECKING:
    import pyarrow as pa

    from stetho.store.reader import Run

POINTS_OF_A_CURVE = 120
PARTS_OF_A_STEP = ("data", "forward", "backward", "optimizer", "ours")
TIERS = ("full", "cheap", "clock")


@dataclass(frozen=True, slots=True)
class Curve:
    """A number over the steps: where it began, where it ended, its lowest value, and its course in few points."""

    first: float
    last: float
    lowest: float | None
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """The size of one model."""

    label: str
    layers: int
    parameters: int
    trainable: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All that the short view of a run shows."""

    name: str
    path: Path
    program: tuple[str, ...]
    state: str
    started: datetime | None
    exit_kind: str | None
    exit_code: int | None
    error: str | None
    where: str | None
    steps: int
    epochs: int | None
    seconds: float | None
    steps_per_second: float | None
    losses: dict[int, Curve]
    learning_rates: dict[int, Curve]
    metrics: dict[str, dict[str, float]]
    models: tuple[ModelFacts, ...]
    tiers: dict[str, int]
    overhead: float | None
    overhead_seconds: float | None
    times: dict[str, float]
    memory_peak: int | None
    device_memory_peak: int | None
    notes: tuple[str, ...]
    capture_error: str | None
    ranks: int
    crash: str | None = None
    """The signal that a crashed program died of."""
    free_seconds: float | None = None
    """What watching may take at the beginning, outside the budget, if it took more than the budget and no more."""


def summarize(run: "Run") -> Summary:
    """Look through a run once."""
    steps = run.table("steps")
    info, end, overhead = run.info, loose.mapping(run.info.get("exit")), loose.mapping(run.info.get("overhead"))
    capture_error = run.info.get("capture_error")
    return Summary(
        name=run.name,
        path=run.path,
        program=command_of(info),
        state=run.state,
        started=started_of(info),
        exit_kind=loose.line(end.get("kind")),
        exit_code=loose.whole(end.get("code")),
        error=loose.line(without_stack(end.get("error"))),
        where=loose.line(end.get("where")),
        steps=steps_of(info, steps),
        epochs=_highest(steps, "epoch"),
        seconds=seconds_of(info, steps),
        steps_per_second=_speed(steps),
        losses=_curves(steps, "loss"),
        learning_rates=_curves(steps, "lr"),
        metrics=_metrics(run),
        models=tuple(map(_model_facts, loose.mappings(run.model.get("models")))),
        tiers=_tiers(steps) | {"asleep": steps_of(info, steps) - steps.num_rows},
        overhead=loose.number(overhead.get("share")),
        overhead_seconds=loose.number(overhead.get("seconds")),
        free_seconds=_free(loose.mapping(info.get("options")), overhead),
        times=_times(steps),
        memory_peak=_memory_peak(run.table("memory")),
        device_memory_peak=_highest(steps, "device_memory_peak") or _highest(run.table("memory"), "device_allocated"),
        notes=tuple(text for note in run.notes if (text := loose.line(note.get("text")))),
        capture_error=loose.line(error_line(capture_error)) if isinstance(capture_error, str) else None,
        ranks=len(run.ranks),
        crash=crash_of(run),
    )


def crash_of(run: "Run") -> str | None:
    """What a crashed program died of; None for any other."""
    crashes = (each for each in run.crashes if each.get("kind") == "crash")
    return next((loose.line(each.get("signal") or each.get("error")) for each in crashes), None)


def command_of(info: dict[str, Any]) -> tuple[str, ...]:
    """The words of the program."""
    words = info.get("command")
    return tuple(word for word in words if isinstance(word, str)) if isinstance(words, list) else ()


def started_of(info: dict[str, Any]) -> datetime | None:
    """When the run began."""
    try:
        return datetime.fromisoformat(str(info.get("started")))
    except ValueError:
        return None


def steps_of(info: dict[str, Any], steps: "pa.Table") -> int:
    """How many steps the program made; some may have been slept through and have no row."""
    return max(loose.whole(info.get("steps")) or 0, _highest(steps, "step") or 0, int(steps.num_rows))


def seconds_of(info: dict[str, Any], steps: "pa.Table") -> float | None:
    """How long the program took, or how far it came."""
    seconds = loose.number(info.get("seconds"))
    if seconds is not None:
        return seconds
    times = _floats(steps, "time")
    return float(times[-1]) if len(times) else None


def _speed(steps: "pa.Table") -> float | None:
    # From the end of the first step to the end of the last: the first one holds imports and set-up.
    times = _floats(steps, "time")
    taken = float(times[-1] - times[0]) if len(times) > 1 else 0.0
    numbers = _floats(steps, "step")
    made = numbers[-1] - numbers[0] if len(numbers) == len(times) > 1 else len(times) - 1
    return float(made) / taken if taken > 0 else None


def _curves(steps: "pa.Table", column: str) -> dict[int, Curve]:
    """A column for each optimizer: two of them rarely minimise the same, and rates in turn are no schedule."""
    import numpy as np

    if not steps.num_rows:
        return {}
    optimizers = steps["optimizer"].fill_null(0).to_numpy()
    values = _floats(steps, column, keep_missing=True)
    # What was not seen is left out; what was seen as NaN is not.
    is_seen = steps[column].is_valid().to_numpy()
    curves = {int(each): _curve(values[(optimizers == each) & is_seen]) for each in np.unique(optimizers)}
    return {optimizer: curve for optimizer, curve in curves.items() if curve}


def _curve(values: Any) -> Curve | None:
    import numpy as np

    if not len(values):
        return None
    finite = values[np.isfinite(values)]
    bins = np.array_split(values, min(POINTS_OF_A_CURVE, len(values)))
    means = (each[np.isfinite(each)] for each in bins)
    return Curve(
        first=float(values[0]),
        last=float(values[-1]),
        lowest=float(finite.min()) if len(finite) else None,
        points=tuple(float(each.mean()) if len(each) else float("nan") for each in means),
    )


def _metrics(run: "Run") -> dict[str, dict[str, float]]:
    """The last value of each metric by phase; what was computed over everything at the end wins."""
    metrics: dict[str, dict[str, float]] = {}
    for row in _last_of_each(run.table("metrics")):
        metrics.setdefault(row["phase"], {})[row["name"]] = row["value"]
    for phase, values in loose.mapping(run.info.get("metrics")).items():
        for name, value in loose.mapping(values).items():
            if (number := loose.number(value)) is not None:
                metrics.setdefault(phase, {})[name] = number
    return metrics


def _last_of_each(metrics: "pa.Table") -> list[dict[str, Any]]:
    last = {(row["phase"], row["name"]): row for row in metrics.to_pylist() if row["value"] is not None}
    return list(last.values())


def _model_facts(model: dict[str, Any]) -> ModelFacts:
    parameters = loose.mappings(model.get("parameters"))
    counts = [loose.whole(each.get("count")) or 0 for each in parameters]
    return ModelFacts(
        label=loose.line(model.get("label")) or loose.line(model.get("class")) or "model",
        layers=len(loose.mappings(model.get("layers"))),
        parameters=sum(counts),
        trainable=sum(number for number, each in zip(counts, parameters, strict=True) if each.get("trainable") is True),
    )


def _tiers(steps: "pa.Table") -> dict[str, int]:
    counted = {row["values"]: row["counts"] for row in steps["tier"].combine_chunks().value_counts().to_pylist()}
    return {tier: counted.get(tier, 0) for tier in TIERS}


def _times(steps: "pa.Table") -> dict[str, float]:
    """The seconds of each part of the steps after the first, which holds imports and set-up."""
    import numpy as np

    later = steps.slice(1) if steps.num_rows > 1 else steps
    times = {part: float(np.nansum(_floats(later, f"{part}_seconds"))) for part in PARTS_OF_A_STEP}
    rest = float(np.nansum(_floats(later, "seconds"))) - sum(times.values())
    return {**times, "rest": max(0.0, rest)} if steps.num_rows else {}


def _memory_peak(memory: "pa.Table") -> int | None:
    """The highest sum over the processes of one moment, each counted as far as it does not share."""
    import numpy as np

    if not memory.num_rows:
        return None
    rss, pss = _floats(memory, "rss", keep_missing=True), _floats(memory, "pss", keep_missing=True)
    is_main = np.array([process == "main" for process in memory["process"].to_pylist()])
    # Pages that children share with the main process would be counted twice in their resident size.
    own = np.where(is_main | np.isnan(pss), rss, pss)
    # Each look at the memory begins with the main process.
    return int(np.bincount(is_main.cumsum(), weights=np.nan_to_num(own)).max())


def _highest(table: "pa.Table", column: str) -> int | None:
    import numpy as np

    values = _floats(table, column)
    return int(np.max(values)) if len(values) else None


def _free(options: dict[str, object], overhead: dict[str, object]) -> float | None:
    budget, free = loose.number(options.get("budget")), loose.number(options.get("grace_seconds"))
    share, seconds = loose.number(overhead.get("share")), loose.number(overhead.get("seconds"))
    if options.get("every") is not None or None in (budget, free, share, seconds):
        return None
    # What is free is processor time, which is counted as long as some is left.
    is_left = (loose.number(overhead.get("worked")) or seconds) < free  # type: ignore[operator]  # none is None
    return free if share > budget and (is_left or seconds <= 1.2 * free) else None  # type: ignore[operator]  # as above


def _floats(table: "pa.Table", column: str, *, keep_missing: bool = False) -> Any:
    """A column as float64, without its missing values or with NaN for them."""
    import pyarrow as pa

    values = table[column].cast(pa.float64())
    return (values if keep_missing else values.drop_null()).to_numpy()


def without_stack(error: object) -> object:
    """The text of an error that carries the stack of another process, as that of a worker does, without the stack.

    >>> without_stack("KeyError: Caught KeyError.\\nOriginal Traceback (most recent call last):\\n  …\\nKeyError: 5\\n")
    'KeyError: Caught KeyError. KeyError: 5'
    """
    head, found, tail = str(error).partition("Original Traceback (most recent call last):")
    return f"{head.strip()} {tail.strip().splitlines()[-1]}" if found and tail.strip() else error
