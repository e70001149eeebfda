"""After which step of a run another one goes on, told by the weights that it begins with."""

from collections.abc import Iterable

import numpy as np

from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.matching import match
from stetho.comparing.runs.recorded import Recorded
from stetho.comparing.runs.rows import MEASURING
from stetho.store.reader import Run


def goes_on_after(whole: Run, later: Run, steps: Iterable[int]) -> int | None:
    """The first of these steps after which the whole run has the weights that the later one begins with."""
    one = Recorded(whole)
    matching = match(one, Recorded(later))
    for after in steps:
        rows = Joined(one, Recorded(later, offset=after), matching).at(after + 1)
        weights = np.asarray([rows.names[int(series)].role == "param" for series in rows.series], bool)
        if weights.any() and float(rows.errors[weights].max()) <= MEASURING:
            return after
    return None
