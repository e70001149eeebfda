"""What the calls of a copy of the model showed: a probe that was made while the program ran."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stetho.checks.window import Window

CLEAR = 1e-3
"""By so much of the spread of the answers they must move, for a difference to be none of rounding."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """How far answers move when the call is repeated, when random numbers differ, when other samples are exchanged.

    `others_along_second` is the same for the second axis, `placed` how far they move when samples only change their
    order. `future` is how far they move at earlier positions when only later ones are exchanged, along the second axis,
    `at_future` at the first of those that were exchanged, `future_along_first` along the first axis; `futures` and
    `presents` have the same two for what the model was given beside its first input, by number and axis. `redrawn` are
    the parameters that a call sets anew; `state` what modules kept of it; `dropouts` the lines that drop in evaluation
    mode though nobody asked for it.
    """

    repeated: float = 0.0
    random: float = 0.0
    others: float = 0.0
    others_along_second: float | None = None
    placed: float | None = None
    future: float | None = None
    at_future: float | None = None
    future_along_first: float | None = None
    futures: Mapping[tuple[int, int], float] = field(default_factory=dict)
    presents: Mapping[tuple[int, int], float] = field(default_factory=dict)
    samples: int = 0
    aligned: bool = False
    redrawn: tuple[str, ...] = ()
    redrawn_at: str | None = None
    state: tuple[str, ...] = ()
    dropouts: tuple[str, ...] = ()
    skipped: str | None = None

    @property
    def is_stateful(self) -> bool:
        """Whether an answer depends on the call before it."""
        return self.repeated > CLEAR

    @property
    def is_mixed(self) -> bool:
        """Whether an answer depends on the other samples."""
        return self.others > CLEAR


def experiment(window: Window) -> Experiment:
    """What was found; of an experiment that was not made, nothing.

    >>> from stetho.testing import make_window
    >>> experiment(make_window(probes={"calls": {"others": 0.2, "samples": 32}})).is_mixed
    True
    """
    found = window.probes.get("calls", {})
    second = "others_along_second"
    return Experiment(
        repeated=_number(found, "repeated"),
        random=_number(found, "random"),
        others=_number(found, "others"),
        others_along_second=_number(found, second) if second in found else None,
        placed=_number(found, "placed") if "placed" in found else None,
        future=_number(found, "future") if "future" in found else None,
        at_future=_number(found, "at_future") if "at_future" in found else None,
        future_along_first=_number(found, "future_along_first") if "future_along_first" in found else None,
        futures=_of_others(found, "future"),
        presents=_of_others(found, "at_future"),
        samples=int(_number(found, "samples")),
        aligned=found.get("aligned") is True,
        redrawn=_texts(found, "redrawn"),
        redrawn_at=str(found["redrawn_at"]) if found.get("redrawn_at") else None,
        state=_texts(found, "state"),
        dropouts=_texts(found, "dropouts"),
        skipped=str(found["skipped"]) if "skipped" in found else None,
    )


def _number(found: Mapping[str, Any], name: str) -> float:
    value = found.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _texts(found: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = found.get(name)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _of_others(found: Mapping[str, Any], name: str) -> dict[tuple[int, int], float]:
    names = {1: f"{name}_of_", 0: f"{name}_along_first_of_"}
    return {
        (int(key.removeprefix(start)), axis): _number(found, key)
        for axis, start in names.items()
        for key in found
        if key.startswith(start)
    }
