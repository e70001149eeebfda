"""Data loaders: what they load, how they choose it, and how long the program waits for a batch."""

import functools
import sys
import weakref
from collections.abc import Callable
from time import perf_counter
from typing import Any

from torch.utils.data import DataLoader, IterableDataset, RandomSampler, SequentialSampler, Subset
from torch.utils.data.dataloader import _BaseDataLoaderIter

from stetho.capture.by_identity import ByIdentity
from stetho.capture.guard import Guard
from stetho.capture.source import is_user_code, line_of, user_frame
from stetho.capture.step import Clock
from stetho.capture.text.assignments import sample_made_at
from stetho.capture.text.order import left_at
from stetho.capture.torch.feed.batches import Batches
from stetho.capture.torch.feed.seeds import fixed_seed
from stetho.capture.torch.feed.workers import own_generator, seeds_all_alike
from stetho.capture.torch.patches import Patches


class Loaders:
    """All data loaders that the program iterates over."""

    def __init__(self, guard: Guard, clock: Clock, batches: Batches) -> None:
        self._guard = guard
        self._clock = clock
        self._batches = batches
        self._known: list[tuple[weakref.ref[Any], dict[str, object]]] = []
        self._of_iterator: ByIdentity[int] = ByIdentity()
        self._passes: dict[int, int] = {}
        self._alone: dict[int, int] = {}
        """How often the loader itself was begun, without those before it that it took the place of."""
        self._made: ByIdentity[str] = ByIdentity()
        self._constructed = guard.wrap("loader made", self._on_made)
        self._begun = guard.wrap("loader begin", self._on_begin)
        self._waited = guard.wrap("loader batch", self._on_batch)

    def install(self, patches: Patches) -> None:
        """Follow the loaders."""
        patches.around(DataLoader, "__init__", after=lambda _, loader, *__, **___: self._constructed(loader))
        patches.around(DataLoader, "__iter__", after=lambda iterator, loader: self._begun(loader, iterator))
        patches.replace(_BaseDataLoaderIter, "__next__", self._wrapped)

    def facts(self) -> list[dict[str, object]]:
        """What model.json says of the loaders."""
        return [facts | {"passes": self._passes.get(number, 0)} for number, (_, facts) in enumerate(self._known)]

    def epoch(self, loader: int | None) -> int | None:
        """How often a loader was begun anew; 1 in the first epoch."""
        return self._passes.get(loader) if loader is not None else None

    def _wrapped(self, original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def following(iterator: Any) -> Any:
            started = perf_counter()
            batch = original(iterator)
            self._waited(iterator, perf_counter() - started)
            return batch

        return following

    def _on_begin(self, loader: Any, iterator: Any) -> None:
        number = next((n for n, (known, _) in enumerate(self._known) if known() is loader), None)
        if number is None:
            begun = str(line_of(user_frame(sys._getframe(1))))
            facts = loader_facts(loader) | {"line": self._made.get(loader) or begun}
            number = self._know(loader, facts | {"begun": begun, "left": left_at(begun)})
        self._passes[number] = self._passes.get(number, 0) + 1
        self._alone[number] = self._alone.get(number, 0) + 1
        self._of_iterator[iterator] = number
        self._batches.loader_begins(number)

    def _know(self, loader: Any, facts: dict[str, object]) -> int:
        """The number of a new loader: that of one that is gone and was just like it, where each epoch makes its own."""
        for number, (known, before) in enumerate(self._known):
            if known() is None and self._alone[number] == 1 and facts | {"id": number} == before:
                self._known[number], self._alone[number] = (weakref.ref(loader), before), 0
                return number
        self._known.append((weakref.ref(loader), facts | {"id": len(self._known)}))
        return len(self._known) - 1

    def _on_made(self, loader: Any) -> None:
        line = line_of(user_frame(sys._getframe(1)))
        if line is not None:
            self._made[loader] = str(line)

    def _on_batch(self, iterator: Any, seconds: float) -> None:
        self._clock.step.data_seconds += seconds
        self._batches.loader = self._of_iterator.get(iterator)


def loader_facts(loader: Any) -> dict[str, object]:
    """What can be read off a loader without loading anything.

    >>> facts = loader_facts(DataLoader([1, 2, 3], batch_size=2))
    >>> facts["length"], facts["sampler"], facts["shuffled"], facts["batch_size"]
    (3, 'SequentialSampler', False, 2)
    """
    dataset, sampler = loader.dataset, getattr(loader, "sampler", None)
    whole = _whole(dataset)
    try:
        length = len(dataset)
    except Exception:  # the user's own method, which may do anything
        length = None
    shuffled: bool | None = None
    if isinstance(sampler, SequentialSampler):
        shuffled = False
    elif isinstance(sampler, RandomSampler):
        shuffled = True
    return {
        "dataset": type(dataset).__name__,
        "iterable": isinstance(dataset, IterableDataset),
        "length": length,
        "sampler": type(sampler).__name__,
        "shuffled": shuffled,
        "batch_size": loader.batch_size,
        "batch_sampler": type(loader.batch_sampler).__name__ if loader.batch_size is None else None,
        "workers": loader.num_workers,
        "drop_last": loader.drop_last,
        "pin_memory": loader.pin_memory,
        "persistent_workers": loader.persistent_workers,
        "worker_init": loader.worker_init_fn is not None,
        "given_at": sample_made_at(getattr(type(whole), "__getitem__", None)) if _is_users(whole) else None,
        "own_random": own_generator(dataset) if loader.num_workers > 1 else None,
        "fixed_seed": fixed_seed(dataset),
        "one_seed": loader.num_workers > 1 and seeds_all_alike(loader.worker_init_fn),
    }


def _whole(dataset: Any) -> Any:
    """What a part was split off from: it makes the samples, the part only chooses among them."""
    while isinstance(dataset, Subset):
        dataset = dataset.dataset
    return dataset


def _is_users(dataset: Any) -> bool:
    code = getattr(getattr(type(dataset), "__getitem__", None), "__code__", None)
    return code is not None and is_user_code(code)
