"""What bounds the speed of a training, in words with numbers, and what measured changes gain."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from stetho.profiling.records import Bound, LineCost, LoaderCost, Measure, MemoryUse, OpCost, Trial, Verdict

MUCH = 0.25
"""A share of the step below which waiting for data, or for anything else, is not what bounds it."""

WORTHWHILE = 1.1
"""A change is recommended from this gain on; less is within what a measurement varies."""

AS_IT_IS = "as it is"
"""The name of the trial that changes nothing."""

READ_LESS = "keep values as tensors, and read them all at once, or every some steps"
MANY_READS = 8
MANY_IN_LINES = 0.1


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
    reads: Mapping[str, float] = MappingProxyType({}),
    memory: MemoryUse | None = None,
) -> Verdict:
    """The verdict on a step.

    Seconds a step: `data` waiting for a loader, `before` in the program's own code before the model is called,
    `waiting` off the processor elsewhere, `operations` inside of operations. `reads` is how often a step hands
    a value of a tensor to Python, by line: on an accelerator, each of these waits for all that was begun.

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
    bound, growing = _bound(shares), growing_words(memory)
    reading = [line for line in lines if line.phase == "" and line.place in reads]
    read_for = sum(line.seconds for line in reading)
    is_own = bound == "python" or (bound == "input" and loader is None and not data)
    if is_own and sum(reads.values()) >= MANY_READS and read_for >= MANY_IN_LINES * whole:
        text = (
            f"synchronisation bound: {sum(reads.values()):.0f} times a step, a value is handed to Python, in "
            f"{read_for / whole * 100:.0f} % of it ({_milliseconds(read_for)} of {_milliseconds(whole)} ms); "
            f"most of it at {reading[0].place}: {reading[0].code}"
        )
        return Verdict("waiting", text, shares, (READ_LESS, *_advice(trials)), growing)
    spent = {"input": loading, "waiting": waiting, "compute": operations, "python": python}[bound]
    head = f"{shares[bound] * 100:.0f} % of a step ({_milliseconds(spent)} of {_milliseconds(whole)} ms)"
    text = {
        "input": f"input bound: {head} is spent {_input_words(data, loader)}",
        "waiting": f"synchronisation bound: in {head} the processor waits for something other than data",
        "compute": f"compute bound: {head} is spent inside of operations",
        "python": f"Python bound: {head} is spent in Python, between operations",
    }[bound]
    text += _place(bound, reading if bound == "waiting" and reading else lines, loader, _dearest(dearest, whole))
    return Verdict(bound, text, shares, tuple(_advice(trials)), growing)


def growing_words(memory: MemoryUse | None) -> str:
    """What is said of memory that grows: what a name keeps, and what the process takes, which may be more.

    >>> from stetho.profiling.records import Keeper
    >>> growing_words(MemoryUse(growth=2**20, keepers=(Keeper("losses", "", ("train.py:9",), 1.0, 2048.0, 3.0),)))
    'memory growing: `losses` keeps 2.0 KiB more each step, at train.py:9; the process takes 1.0 MiB more each step'
    """
    if memory is None or not (memory.growth or memory.keepers):
        return ""
    process = f"the process takes {_size(memory.growth)} more each step" if memory.growth else ""
    if not memory.keepers:
        return f"memory growing: {process}; no name of the program holds more"
    # Who holds the holder keeps as much; the line that adds to it is what helps.
    keeper = next((each for each in memory.keepers if each.lines), memory.keepers[0])
    what = "more tensors with their graphs" if keeper.nodes_per_step else "more tensors"
    what = f"{_size(keeper.bytes_per_step)} more" if keeper.bytes_per_step >= 2**10 else what
    place = f", at {keeper.lines[0]}" if keeper.lines else ""
    return "; ".join(filter(None, (f"memory growing: `{keeper.name}` keeps {what} each step{place}", process)))


def _size(size: float) -> str:
    return f"{size / 2**20:.1f} MiB" if size >= 2**20 else f"{size / 2**10:.1f} KiB"


PHASES_OF: dict[Bound, tuple[str, ...]] = {
    "input": ("data", ""),
    "waiting": ("",),
    "python": ("forward", "optimizer", ""),
}
"""Where the time may pass: loading is done by the loader or in the program's own code, and no line of a backward pass
is Python's doing, whose operations the framework itself calls."""


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
    own = [line for line in lines if line.phase in PHASES_OF[bound]]
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
    if not worked or worked[0].setting != AS_IT_IS:
        return []
    base, *changed = worked
    if not changed:
        return []
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
        advice.append(f"nothing that was tried is more than {(WORTHWHILE - 1) * 100:.0f} % faster")
    return advice


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g}"
