"""Loaders and data sets of torch as sources: the same order, the same batches, but in this process."""

import contextlib
import copy
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset, default_collate
from torch.utils.data._utils import worker

from stetho.capture.torch.feed.loaders import loader_facts
from stetho.pipeline.drawing import Draw, Source, indexed, length_of, stream

__all__ = ["default_collate", "is_loader_or_set", "torch_source"]

Samples = Any


def is_loader_or_set(value: Any) -> bool:
    """Whether a value is a loader or a data set of torch.

    >>> is_loader_or_set(DataLoader([1, 2])), is_loader_or_set([1, 2])
    (True, False)
    """
    return isinstance(value, DataLoader | Dataset)


def torch_source(given: Any, batch_size: int | None = None) -> Source:
    """A loader with its own batches, or a data set in batches of `batch_size`.

    >>> source = torch_source(DataLoader([10, 11, 12], batch_size=2, num_workers=1))
    >>> [(draw.make(), draw.ends_batch) for draw in source.draws()]
    [(10, False), (11, True), (12, True)]
    """
    if isinstance(given, DataLoader):
        return _of_loader(given)
    collate = default_collate if batch_size else None
    if isinstance(given, IterableDataset) or length_of(given) is None:
        return stream(given, collate, batch_size)
    return indexed(given, collate, batch_size)


def _of_loader(loader: DataLoader[Any]) -> Source:
    dataset = loader.dataset
    if loader.num_workers > 0 and loader.worker_init_fn is not None:
        # A worker has a copy of its own: what `worker_init_fn` sets there is not seen in the main process.
        dataset = copy.copy(dataset)
    is_stream = isinstance(dataset, IterableDataset)
    sampler = loader.batch_sampler if loader.batch_sampler is not None else getattr(loader, "sampler", None)
    return Source(
        title=f"{type(loader).__name__} over {type(dataset).__name__}",
        draws=partial(_draws_of_stream, loader, dataset) if is_stream else partial(_draws, loader, dataset),
        length=_length(loader, is_stream),
        facts=tuple(_facts(loader, is_stream)),
        collate=partial(_collate, loader),
        drops_last=bool(loader.drop_last),
        fetch=None if is_stream else _fetcher(dataset),
        around=partial(_as_worker, loader, dataset) if loader.num_workers > 0 else contextlib.nullcontext,
        holders=(loader, sampler, getattr(sampler, "sampler", None), dataset),
        notes=tuple(_notes(loader)),
    )


def _draws(loader: DataLoader[Any], dataset: Samples) -> Iterator[Draw]:
    fetch = _fetcher(dataset)
    if loader.batch_sampler is None:
        for key in loader.sampler:
            yield Draw(key, partial(fetch, key), True)
        return
    for keys in loader.batch_sampler:
        keys = list(keys)
        for place, key in enumerate(keys):
            yield Draw(_plain(key), partial(fetch, key), place == len(keys) - 1)


def _draws_of_stream(loader: DataLoader[Any], dataset: Samples) -> Iterator[Draw]:
    iterator = iter(dataset)
    size = loader.batch_size or 1
    for position in count():
        yield Draw(position, partial(next, iterator), (position + 1) % size == 0)


def _fetcher(dataset: Samples) -> Callable[[Any], Any]:
    """How one sample is asked for; some data sets only know how to give several."""
    own = type(dataset).__getitem__ if hasattr(type(dataset), "__getitem__") else None
    if (own is None or own is Dataset.__getitem__) and hasattr(dataset, "__getitems__"):
        return lambda key: dataset.__getitems__([key])[0]
    return lambda key: dataset[key]


def _collate(loader: DataLoader[Any], samples: Sequence[Any]) -> Any:
    return loader.collate_fn(list(samples)) if loader.batch_size or loader.batch_sampler else _single(loader, samples)


def _single(loader: DataLoader[Any], samples: Sequence[Any]) -> Any:
    return loader.collate_fn(samples[0])


def _length(loader: DataLoader[Any], is_stream: bool) -> int | None:
    if is_stream:
        return length_of(loader.dataset)
    own = length_of(loader.sampler)
    if type(loader.batch_sampler).__module__.startswith("torch.") or loader.batch_sampler is None:
        return own
    # A batch sampler of one's own says how many batches, and not how many samples.
    return None if length_of(loader.batch_sampler) is None else length_of(loader.dataset)


def _facts(loader: DataLoader[Any], is_stream: bool) -> Iterator[tuple[str, str]]:
    known = loader_facts(loader)
    if not is_stream:
        custom = known["batch_sampler"] if known["batch_size"] is None and loader.batch_sampler is not None else None
        yield "sampler", str(custom or known["sampler"])
    if loader.batch_size is not None:
        yield "batch", f"{loader.batch_size} samples{', the last short one dropped' if loader.drop_last else ''}"
    name = getattr(loader.collate_fn, "__name__", type(loader.collate_fn).__name__)
    yield "collate", name
    if loader.num_workers:
        begun = ", begun by its worker_init_fn" if loader.worker_init_fn is not None else ""
        yield "workers", f"{loader.num_workers} in training, none here: this process stands for the only one{begun}"


def _notes(loader: DataLoader[Any]) -> Iterator[str]:
    if type(loader).__iter__ is not DataLoader.__iter__:
        yield f"{type(loader).__name__} has an `__iter__` of its own: what it does to a batch is not shown here"


@contextlib.contextmanager
def _as_worker(loader: DataLoader[Any], dataset: Samples) -> Iterator[None]:
    """Let the data set and `worker_init_fn` believe that this is worker 0 of 1, as they do in training."""
    before = worker._worker_info
    worker._worker_info = worker.WorkerInfo(id=0, num_workers=1, seed=torch.initial_seed(), dataset=dataset)
    try:
        if loader.worker_init_fn is not None:
            loader.worker_init_fn(0)
        yield
    finally:
        worker._worker_info = before


def _plain(key: Any) -> Any:
    """An index as a plain number, where it is one."""
    return key.item() if isinstance(key, torch.Tensor) and key.numel() == 1 else key
