"""What a profile says in sentences: the step, memory, the loader; a label and a text each."""

from collections.abc import Iterator

from stetho.profiling.records import Keeper, MemoryUse, Profile
from stetho.views import text
from stetho.views.summary_lines import short_place

Fact = tuple[str, str]


def step_facts(profile: Profile) -> Iterator[Fact]:
    """How long a step takes, of what it consists, and how that was measured."""
    step = profile.step
    yield "a step", (f"{brief(step.mean)} ± {brief(step.spread)} · {text.rate(profile.steps_per_second)} steps/s")
    parts = [(name, measure.mean) for name, measure in profile.phases.items() if name != "before"]
    yield "of it", " · ".join(f"{name} {text.share(spent / (step.mean or 1))}" for name, spent in parts)
    if profile.added:
        longer = text.share(profile.added / (step.mean or 1))
        yield "measured", f"recorded steps took {longer} longer than others, which is taken off below"
    for note in profile.notes:
        yield "note", note


def memory_facts(memory: MemoryUse) -> Iterator[Fact]:
    """What is held, and what grows."""
    held = [("parameters", memory.parameters), ("gradients", memory.gradients), ("optimizer state", memory.state)]
    yield "memory", " · ".join(f"{name} {text.size(size)}" for name, size in held)
    peak = f" · at most {text.size(memory.peak)} made and alive at once" if memory.peak else ""
    if memory.saved or peak:
        yield "", f"saved for backward {text.size(memory.saved)}{peak}"
    for keeper in memory.keepers:
        yield "grows", _keeper(keeper)
    if memory.growth and not memory.keepers:
        yield "grows", f"the process, by {text.size(round(memory.growth))} a step; no name of the program holds more"


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


def loader_facts(profile: Profile) -> Iterator[Fact]:
    """The loader that feeds the training, and the way of its batches."""
    loader = profile.loader
    if loader is None:
        return
    place = f" · {short_place(loader.line)}" if loader.line else ""
    yield "loader", f"{loader.name}, {loader.workers} workers, batch {loader.batch_size or 'of its own'}{place}"
    if not loader.batch_bytes:
        return
    yield "", f"a sample is {text.size(loader.sample_bytes)}, a batch {text.size(loader.batch_bytes)}"
    for each in loader.fields:
        yield "", each
    dumping, loading = brief(loader.pickle_seconds), brief(loader.unpickle_seconds)
    yield "", f"from a worker: pickling {dumping}, unpickling {loading} a batch"


def brief(seconds: float) -> str:
    """A stretch of a step; `text.seconds` knows nothing below a millisecond.

    >>> brief(0.0000123), brief(0.5)
    ('12.3 µs', '500 ms')
    """
    return f"{seconds * 1e6:.3g} µs" if 0 < seconds < 1e-3 else text.seconds(seconds)
