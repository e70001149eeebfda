"""What a schedule waits for: the numbers that `ReduceLROnPlateau` is stepped with, and how often it lowers the rate."""

from typing import Any

from torch import Tensor

from stetho.capture.text.told import told_name

KEPT = 64


class Plateau:
    """Follows one such schedule; every so many of the numbers are kept, for all of the run."""

    def __init__(self, scheduler: Any) -> None:
        self._mode = str(scheduler.mode)
        self._rate = _rate(scheduler)
        self._cuts = 0
        self._seen = 0
        self._every = 1
        self._kept: list[tuple[int, float]] = []
        self._line = ""

    def stepped(self, scheduler: Any, measured: object, step: int, line: str) -> None:
        """The schedule was told a number, in this step of the training."""
        rate = _rate(scheduler)
        self._cuts += rate < self._rate
        self._rate, self._line = rate, line
        if self._seen % self._every == 0 and (isinstance(measured, int | float) or _is_one_number(measured)):
            self._kept.append((step, float(measured)))  # type: ignore[arg-type]  # a number, as just seen
            if len(self._kept) >= KEPT:
                self._kept, self._every = self._kept[::2], 2 * self._every
        self._seen += 1

    def facts(self) -> dict[str, object]:
        """What model.json says of it: the line that steps it, the numbers, and the steps they came in."""
        steps, values = [step for step, _ in self._kept], [value for _, value in self._kept]
        facts = {"mode": self._mode, "cuts": self._cuts, "told_name": told_name(self._line)}
        return facts | {"told_line": self._line, "told_at": steps, "told": values}


def _rate(scheduler: Any) -> float:
    return float(scheduler.optimizer.param_groups[0]["lr"])


def _is_one_number(measured: object) -> bool:
    # The schedule has read it already, so that reading it waits for nothing.
    if isinstance(measured, Tensor):
        return measured.numel() == 1
    return hasattr(measured, "dtype") and getattr(measured, "size", 0) == 1
