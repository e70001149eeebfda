"""A data pipeline in, a report out."""

from collections.abc import Iterator, Mapping
from functools import partial
from time import perf_counter

from stetho.errors import UsageError
from stetho.pipeline.births import birth_of_nan
from stetho.pipeline.drawing import Source
from stetho.pipeline.epoch import Epoch, Explain, Progress
from stetho.pipeline.facts import Report, Split
from stetho.pipeline.randomness import random_state_kept
from stetho.pipeline.remarks import between, remarks
from stetho.pipeline.settings import Settings


def examine(
    sources: Mapping[str, Source], settings: Settings, explain: Explain, progress: Progress = lambda _done, _of: None
) -> Report:
    """Step through the first source, then through the others to compare them with it."""
    (name, source), *others = sources.items()
    epoch, seconds = _stepped(source, settings, explain, progress)
    if not epoch.columns.samples and not epoch.failures and not epoch.is_interrupted:
        told = f" (its length is {source.length:,})" if source.length is not None else ""
        raise UsageError(f"`{name}` gives no sample{told}: {source.title}; look at what it reads, or at its sampler")
    fields, duplicates, batches = epoch.columns.fields(), epoch.seen.duplicates(), epoch.batching.result()
    is_whole = not epoch.is_interrupted and (settings.keep_going or not epoch.failures)
    others = others if is_whole else []
    splits = tuple(_split(epoch, other, each, settings, explain, progress) for other, each in others)
    said = [*remarks(fields, duplicates, batches, partial(birth_of_nan, source))]
    for split in splits:
        said += between(name, fields, split)
    return Report(
        name=name,
        title=source.title,
        length=source.length,
        samples=epoch.columns.samples,
        seconds=seconds,
        median=epoch.median,
        slowest=tuple((key, took) for took, _, key in epoch.slowest),
        facts=source.facts,
        fields=fields,
        stages=epoch.stages.stages(),
        traced=epoch.stages.samples,
        batches=batches,
        failures=tuple(epoch.failures),
        duplicates=duplicates,
        splits=splits,
        shown=tuple(epoch.shown),
        remarks=tuple(said),
        notes=tuple(_notes(epoch)),
    )


def _stepped(source: Source, settings: Settings, explain: Explain, progress: Progress) -> tuple[Epoch, float]:
    epoch = Epoch(source, settings, explain, progress)
    started = perf_counter()
    with random_state_kept(source.holders):
        epoch.run()
    return epoch, perf_counter() - started


def _split(first: Epoch, name: str, source: Source, settings: Settings, explain: Explain, progress: Progress) -> Split:
    epoch, _ = _stepped(source, settings, explain, progress)
    shared, pairs = first.seen.shared_with(epoch.seen)
    return Split(
        name,
        epoch.columns.samples,
        epoch.columns.fields(),
        shared,
        pairs,
        epoch.seen.duplicates(),
        tuple(epoch.failures),
    )


def _notes(epoch: Epoch) -> Iterator[str]:
    source = epoch.source
    if epoch.is_interrupted:
        yield f"stopped by Ctrl-C after {epoch.tried:,} samples; all numbers are of these"
    elif epoch.is_cut or (source.length is not None and epoch.bound is not None and epoch.bound < source.length):
        of = f" of {source.length:,}" if source.length is not None else " of a stream without a length"
        yield f"stopped after {epoch.tried:,} samples{of}; `--samples` says how many"
    if epoch.batching.dropped:
        yield f"the last {epoch.batching.dropped:,} samples make no batch: the loader drops the last short one"
    again = sum(n - 1 for n in epoch.drawn.values())
    if again:
        yield f"the sampler drew {len(epoch.drawn):,} different samples, {again:,} draws were of an earlier one"
    if source.collate is None:
        yield "no batches: this is not a loader; `--batch-size N` puts N samples together"
    yield from source.notes
