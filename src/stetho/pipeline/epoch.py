"""One epoch, sample by sample in this process: what comes, what fails, how long it takes."""

import random
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

from stetho.explaining.report import ErrorReport
from stetho.pipeline.batching import Batching
from stetho.pipeline.columns import Columns
from stetho.pipeline.drawing import Draw, Source
from stetho.pipeline.duplicates import Seen, fingerprints
from stetho.pipeline.facts import Failure, Key, Shown
from stetho.pipeline.leaves import leaves
from stetho.pipeline.pictures import first_image, shown
from stetho.pipeline.raw_inputs import RawInputs
from stetho.pipeline.settings import Settings
from stetho.pipeline.stages import Stages

MOST_OF_A_STREAM = 10_000
"""Samples that are taken from something without a length when nobody says how many."""
MOST_FAILURES = 100
SLOWEST = 3

Explain = Callable[[BaseException], ErrorReport]
Progress = Callable[[int, int | None], None]
"""Told how many samples are done, and of how many."""


class Epoch:
    """One pass over a source, and all that was seen in it."""

    def __init__(self, source: Source, settings: Settings, explain: Explain, progress: Progress) -> None:
        self.source = source
        self.settings = settings
        self.columns = Columns()
        self.seen = Seen()
        self.raw = RawInputs()
        self.stages = Stages(first_image)
        self.batching = Batching(source, settings)
        self.failures: list[Failure] = []
        self.shown: list[Shown] = []
        self.drawn: Counter[Hashable] = Counter()
        self.times = array("d")
        self.slowest: list[tuple[float, int, Key]] = []
        self.bound = _bound(source, settings)
        self.is_cut = self.is_interrupted = False
        self.tried = 0
        self._explain = explain
        self._progress = progress
        # Chance of our own: which samples are shown must not depend on, or change, that of the program.
        self._chance = random.Random(0)

    def run(self) -> None:
        """Step through it, until its end, the bound, the first failure, or Ctrl-C."""
        try:
            with self.source.around(), self.raw.followed(self.source.holders):
                self._steps(self._guarded_draws())
        except KeyboardInterrupt:
            self.is_interrupted = True

    def _steps(self, draws: Iterator[Draw]) -> None:
        for draw in draws:
            if self.bound is not None and self.tried >= self.bound:
                self.is_cut = True
                return
            if not self._step(draw):
                break
        if not self._has_to_stop():
            self._guarded(self.batching.finish, "batch", self.tried, None)

    def _guarded_draws(self) -> Iterator[Draw]:
        """The order of the samples, which a sampler of the program's own may fail to give."""
        iterator = None
        while True:
            try:
                iterator = self.source.draws() if iterator is None else iterator
                draw = next(iterator)
            except StopIteration:
                return
            except Exception as error:
                self._note("order", self.tried, None, error)
                return
            yield draw

    def _step(self, draw: Draw) -> bool:
        """Make one sample and look at it; False when this was the last."""
        position = self.tried
        self.raw.begin()
        started = perf_counter()
        try:
            is_traced = position < self.settings.traced
            sample = self.stages.follow(draw.make) if is_traced else draw.make()
        except StopIteration:
            return False
        except Exception as error:
            self.tried += 1
            self._note("sample", position, draw.key, error)
            self.batching.skip(draw)
            return not self._has_to_stop()
        took = perf_counter() - started - self.raw.seconds
        self.tried += 1
        self._time(took, position, draw.key)
        self._look(draw.key, sample)
        self._guarded(lambda: self.batching.add(draw, sample), "batch", position, draw.key)
        self._progress(self.tried, self.bound if self.bound is not None else self.source.length)
        return not self._has_to_stop()

    def _look(self, key: Key, sample: Any) -> None:
        found = self.columns.add(key, sample)
        self.seen.add(key, fingerprints(found, leaves(self.raw.taken) if self.raw.taken else ()))
        if isinstance(key, Hashable):
            self.drawn[key] += 1
        wanted, number = self.settings.pictures, self.columns.samples
        if len(self.shown) < wanted:
            self.shown.append(shown(key, found, self.settings.decode))
        elif wanted and (place := self._chance.randrange(number)) < wanted:
            self.shown[place] = shown(key, found, self.settings.decode)

    def _guarded(self, act: Callable[[], None], step: str, position: int, key: Key) -> None:
        try:
            act()
        except Exception as error:
            self._note(step, position, key, error)

    def _note(self, step: Any, position: int, key: Key, error: Exception) -> None:
        if len(self.failures) < MOST_FAILURES:
            keys, odd = (self.batching.failed_keys, self.batching.odd) if step == "batch" else (None, "")
            self.failures.append(Failure(step, position, keys if keys else key, self._explain(error), odd))

    def _has_to_stop(self) -> bool:
        return bool(self.failures) and not self.settings.keep_going

    def _time(self, took: float, position: int, key: Key) -> None:
        # What is traced is slow on purpose.
        if position >= self.settings.traced or self.source.length == position + 1 <= self.settings.traced:
            self.times.append(took)
            self.slowest = sorted([*self.slowest, (took, position, key)], key=lambda each: -each[0])[:SLOWEST]

    @property
    def median(self) -> float:
        """The time of a sample in the middle of all that were not traced."""
        return median(self.times) if self.times else 0.0


def _bound(source: Source, settings: Settings) -> int | None:
    if settings.samples is not None:
        return settings.samples if source.length is None else min(settings.samples, source.length)
    return MOST_OF_A_STREAM if source.length is None else None
