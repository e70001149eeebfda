"""Where the NaN of a sample comes from: the sample is made once more, and each step of that is looked at."""

import os
from functools import partial

from stetho.pipeline.describing import has_nan
from stetho.pipeline.drawing import Source
from stetho.pipeline.facts import Key
from stetho.pipeline.randomness import random_state_kept
from stetho.pipeline.raw_inputs import RawInputs
from stetho.pipeline.stages import Stages


def birth_of_nan(source: Source, key: Key) -> str | None:
    """Which function makes the NaN of a sample; None when it cannot be made again, or has none this time.

    >>> from stetho.pipeline.sources import sources_of
    >>> birth_of_nan(sources_of([1.0], "rows")["rows"], 0) is None
    True
    """
    if source.fetch is None:
        return None
    stages, raw = Stages(), RawInputs()
    try:
        with random_state_kept(source.holders), source.around(), raw.followed(source.holders):
            stages.follow(partial(source.fetch, key))
    except Exception:  # the program's own code, which may fail this time
        return None
    if raw.taken is not None and has_nan(raw.taken):
        return "they are in the data before any transform"
    first = stages.first_nan
    place = f" ({first.line.removeprefix(os.getcwd() + os.sep)})" if first is not None and first.line else ""
    return f"`{first.name}`{place} is the first to give them" if first is not None else None
