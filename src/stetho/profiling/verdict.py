"""What bounds the speed of a training, in words with numbers, and what measured changes gain."""

from collections.abc import Sequence

from stetho.profiling.records import Bound, LineCost, LoaderCost, Measure, OpCost, Trial, Verdict

MUCH = 0.25
"""A share of the step below which waiting for data, or for anything else, is not what bounds it."""

WORTHWHILE = 1.1
"""A change is recommended from this gain on; less is within what a measurement varies."""


def judge(
    step: Measure,
    *,
    data: float,
    before: float,
    waiting: float,
    operations: float,
    dearest: OpCost | None = None,
    lines: Sequence[LineCost] = (),
    loader: LoaderCost | None = None,
    trials: Sequence[Trial] = (),
) -> Verdict:
    """The verdict on a step.

    Seconds a step: `data` waiting for a loader, `before` in the program's own code before the model is called,
    `waiting` off the processor elsewhere, `operations` inside of operations.

    >>> verdict = judge(Measure(0.010), data=0.007, before=0.0, waiting=0.0, operations=0.002)
    >>> verdict.bound, verdict.text
    ('input', 'input bound: 70 % of a step (7 of 10 ms) is spent waiting for the next batch')
    """
    whole = step.mean or 1e-12
    loading = data if loader is not None or data else before
    python = max(whole - loading - waiting - operations, 0.0)
    shares = {
        "input": loading / whole,
        "waiting": waiting / whole,
        "compute": operations / whole,
        "python": python / whole,
    }
    bound = _bound(shares)
    spent = {"input": loading, "waiting": waiting, "compute": operations, "python": python}[bound]
    head = f"{shares[bound] * 100:.0f} % of a step ({_milliseconds(spent)} of {_milliseconds(whole)} ms)"
    text = {
        "input": f"input bound: {head} is spent {_input_words(data, loader)}",
        "waiting": f"synchronisation bound: in {head} the processor waits for something other than data",
        "compute": f"compute bound: {head} is spent inside of operations",
        "python": f"Python bound: {head} is spent in Python, between operations",
    }[bound]
    return Verdict(bound, text + _place(bound, lines, loader, _dearest(dearest, whole)), shares, tuple(_advice(trials)))


def _bound(shares: dict[str, float]) -> Bound:
    if shares["input"] >= MUCH and shares["input"] >= max(shares["waiting"], shares["python"], 0.6 * shares["compute"]):
        return "input"
    if shares["waiting"] >= MUCH and shares["waiting"] >= shares["compute"]:
        return "waiting"
    return "compute" if shares["compute"] >= shares["python"] else "python"


def _input_words(data: float, loader: LoaderCost | None) -> str:
    if loader is not None:
        workers = "in the program itself, without workers" if not loader.workers else f"with {loader.workers} workers"
        return f"waiting for the next batch ({loader.name} {workers})"
    return "waiting for the next batch" if data else "in your own code before the model is called"


def _place(bound: Bound, lines: Sequence[LineCost], loader: LoaderCost | None, dearest: str) -> str:
    if bound == "compute":
        return dearest
    # Loading is done by the loader, or in the program's own code outside of the framework's.
    own = [line for line in lines if line.phase in ("data", "")] if bound == "input" else []
    chosen = next(iter([line for line in own if line.phase == "data"] or own or lines), None)
    if chosen is not None:
        return f"; most of it at {chosen.place}" + (f": {chosen.code}" if chosen.code else "")
    return f"; the loader is begun at {loader.line}" if bound == "input" and loader is not None and loader.line else ""


def _dearest(operation: OpCost | None, whole: float) -> str:
    if operation is None:
        return ""
    name = operation.name.removeprefix("aten::")
    home = f", mostly of `{operation.layer}`" if operation.layer else ""
    return f"; the dearest is `{name}` ({operation.own.mean / whole * 100:.0f} %, {operation.phase}{home})"


def _advice(trials: Sequence[Trial]) -> list[str]:
    """The best of what was tried, for speed in steps and for speed in samples."""
    worked = [trial for trial in trials if trial.problem is None and trial.steps_per_second > 0]
    if not worked or worked[0].setting != "as it is":
        return []
    base, *changed = worked
    same_batch = [trial for trial in changed if not trial.setting.startswith("batch_size")]
    advice = []
    best = max(same_batch, key=lambda trial: trial.steps_per_second, default=None)
    if best is not None and best.steps_per_second >= WORTHWHILE * base.steps_per_second:
        advice.append(
            f"{best.setting}: {best.steps_per_second:.3g} steps/s instead of {base.steps_per_second:.3g} "
            f"({best.steps_per_second / base.steps_per_second:.2f} ×), measured"
        )
    sized = [trial for trial in changed if trial not in same_batch and trial.samples_per_second]
    best = max(sized, key=lambda trial: trial.samples_per_second or 0.0, default=None)
    before = base.samples_per_second
    if best is not None and before and (best.samples_per_second or 0.0) >= WORTHWHILE * before:
        advice.append(
            f"{best.setting}: {best.samples_per_second:.4g} samples/s instead of {before:.4g} "
            f"({(best.samples_per_second or 0.0) / before:.2f} ×), measured; the training itself changes with it"
        )
    if not advice:
        advice.append(f"nothing that was tried is more than {WORTHWHILE - 1:.0%} faster")
    return advice


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g}"
