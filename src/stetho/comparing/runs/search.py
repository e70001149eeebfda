"""Looks for the first step of two runs that differs, its places, and what kind of difference begins there."""

import numpy as np

from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.data import Data
from stetho.comparing.runs.growth import JUMP, Growth, growth_of
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.places import Place, place_of_data, places_at
from stetho.comparing.runs.recorded import Recorded
from stetho.comparing.runs.rows import MEASURING
from stetho.comparing.runs.verdict import Kind, kind_of

OF_STATE = ("momentum", "dampening", "betas", "alpha", "weight_decay", "maximize")
"""Settings of an optimizer that change what it keeps of the gradients, and not only what it does with that."""


class Search:
    """Looks for the first step and the first places that differ."""

    def __init__(
        self, joined: Joined, curve: Curve, data: Data, sides: tuple[Recorded, Recorded], noticeable: float
    ) -> None:
        self._joined = joined
        self._curve = curve
        self._data = data
        self._sides = sides
        self._noticeable = noticeable
        self.notes: list[str] = []
        starts = [side.steps["step"] for side in sides]
        self.first_step = int(max(steps.min() for steps in starts)) if all(map(len, starts)) else 1

    def first(self, least: float) -> tuple[int | None, list[Place], Growth | None]:
        """The first step that differs by more than `least`, its places, and how the errors grow from there."""
        growth = self._growth()
        step = self._first_step(least)
        if step is None and growth is not None and growth.breaks_at is not None:
            step = growth.breaks_at
        if step is None:
            return None, [], growth
        places = places_at(step, self._joined, self._curve, self._sides, least)
        if least and growth is not None and growth.first_step < step:
            places = self._jumped(step, places)
        self._say_what_is_missing(step, places)
        if self._data.step == step and not (places and places[0].stage in ("param", "act")):
            # What the model makes of other samples, or of the same in another order, may look the same.
            places = [place_of_data(step), *places]
        return step, places, growth

    def is_drift(self, step: int | None, growth: Growth | None) -> bool:
        """Whether errors that began as rounding grew to what differs at a step, no faster than rounding does."""
        is_later = step is not None and growth is not None and growth.breaks_at is None and growth.first_step < step
        return is_later and (self._data.step is None or self._data.step > (step or 0))

    def kind(self, place: Place | None, step: int) -> Kind:
        """The kind of difference that a step begins with."""
        if place is None:
            return "data" if self._data.step is not None and self._data.step <= step else "forward"
        kind = kind_of(place, self.first_step, self._data, self._sides)
        if (
            kind == "update"
            and len({each.get("class") for side in self._sides for each in side.fact("optimizers")}) > 1
        ):
            # Two kinds of optimizer keep different state, of which nothing can be compared.
            return "optimizer"
        if kind == "update" and not self._measured_state(step):
            # State is not measured at every step: what it follows from tells whether it is still the same.
            return "optimizer" if step > self.first_step and self._keeps_other_state() else "update"
        if kind == "outside" and not self._was_equal(step - 1):
            self.notes.append(f"the update of step {step - 1} was not measured in both runs, or differs a little")
            return "update"
        return kind

    def _was_equal(self, step: int) -> bool:
        """Whether the updates of a step were measured, and equal."""
        updates = {one.id for one in self._joined.names.values() if one.role == "update"}
        rows = self._joined.at(step)
        here = np.isin(rows.series, list(updates))
        return bool(here.any()) and not bool((here & rows.beyond(0.0)).any())

    def _measured_state(self, step: int) -> bool:
        """Whether the optimizer's state was measured at a step."""
        state = [one.id for one in self._joined.names.values() if one.role.startswith("state")]
        return bool(np.isin(self._joined.at(step).series, state).any())

    def _keeps_other_state(self) -> bool:
        """Whether the optimizers are set to keep another state of the same gradients."""
        settings = [
            [{key: group.get(key) for key in OF_STATE} for each in side.fact("optimizers") for group in each["groups"]]
            for side in self._sides
        ]
        return settings[0] != settings[1]

    def is_small(self, places: list[Place]) -> bool:
        """Whether the difference is of the size of rounding and the losses stay within the tolerance."""
        steps = {place.step for place in places}
        is_beyond = any(bool(self._joined.at(step).beyond(self._noticeable).any()) for step in steps)
        return not is_beyond and self._curve.first_off is None

    def _first_step(self, least: float) -> int | None:
        first = self._joined.errors.first_beyond(least)
        steps = [first] if first is not None else []
        losses = np.flatnonzero(self._curve.apart > max(least, self._curve.tolerance if least else 0.0))
        steps += [int(self._curve.steps[losses[0]])] if len(losses) else []
        steps += [self._data.step] if self._data.step is not None else []
        return min(steps, default=None)

    def _growth(self) -> Growth | None:
        """The growth of the largest error of the outputs, step by step."""
        found = self._joined.errors
        seen = ~np.isnan(found.outputs)
        if not seen.any():
            return growth_of(self._curve.steps.tolist(), self._curve.apart.tolist())
        errors = np.where(found.outputs[seen] <= MEASURING, 0.0, found.outputs[seen])
        growth = growth_of(found.steps[seen].tolist(), errors.tolist())
        is_rounding = growth is not None and growth.first_error <= self._noticeable
        return growth if is_rounding else None

    def _jumped(self, step: int, places: list[Place]) -> list[Place]:
        """Of the places of a step, or of the one before, those whose error is much larger than it was before."""
        before = {
            (p.role, p.name, p.model): p.error for p in places_at(step - 1, self._joined, self._curve, self._sides, 0.0)
        }
        sudden = [p for p in places if p.error > JUMP * before.get((p.role, p.name, p.model), 0.0)]
        return sudden or places

    def _say_what_is_missing(self, step: int, places: list[Place]) -> None:
        if not places and step not in self._joined.errors.steps:
            self.notes.append(
                f"the layers were not measured at step {step} in both runs; record with --every 1, or use --rerun"
            )
