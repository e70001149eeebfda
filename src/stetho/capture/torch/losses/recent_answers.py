"""Which class a model took for which, of late: older answers fade away, as the model that gave them does."""

import numpy as np
import numpy.typing as npt

FADING = 0.97
MOST_CLASSES = 40


class RecentAnswers:
    """Answers of the last thirty batches or so of each phase: a row for each right class, a column for each said."""

    def __init__(self) -> None:
        self._counts: dict[str, npt.NDArray[np.float64]] = {}

    def add(self, phase: str, counts: npt.NDArray[np.int64]) -> None:
        """Count a batch: how often each class was taken for each, as one row."""
        if counts.size > MOST_CLASSES**2:
            return
        before = self._counts.get(phase)
        faded = FADING * before if before is not None and before.shape == counts.shape else np.zeros(counts.size)
        self._counts[phase] = np.asarray(counts + faded, np.float64)

    def result(self) -> dict[str, object] | None:
        """The tables by phase, row by row."""
        return {phase: counts.round(3).tolist() for phase, counts in self._counts.items()} or None
