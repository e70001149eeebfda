"""The places of a step that differ between two runs, in the order in which a program computes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.randomness import drops
from stetho.comparing.runs.recorded import COMPARED, Recorded
from stetho.comparing.runs.rows import COLUMN, Rows
from stetho.comparing.tensor_error import TensorError

ORDER = ("data", "param", "act", "loss", "act_grad", "grad", "state", "update", "eval")
"""What a step is made of, from the weights it begins with to what it adds to them."""
WHOLE = ("data", "loss")
"""What belongs to no layer."""
OF_PARAMETERS = ("param", "grad", "update")
WORDS = {
    "data": "the batch",
    "param": "the weights",
    "act": "the output",
    "loss": "the loss",
    "act_grad": "the gradient at the output",
    "grad": "the gradient",
    "update": "the update",
    "eval": "the output in evaluation",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor of a step that is not the same in both runs."""

    step: int
    stage: str
    role: str
    name: str
    model: int
    layer: Mapping[str, Any]
    other_layer: Mapping[str, Any]
    error: float
    """Largest difference of the moments, relative to the size of the values."""
    one: Mapping[str, float]
    other: Mapping[str, float]
    tensors: TensorError | None = None
    """Errors element by element, where the tensors themselves are there."""

    @property
    def subnet(self) -> str:
        """The part of the model that holds it: the first of its names."""
        return self.name.partition(".")[0]

    @property
    def where(self) -> tuple[str | None, str | None]:
        """The source line of each side: where the layer was made."""
        return self.layer.get("constructed"), self.other_layer.get("constructed")

    @property
    def called(self) -> tuple[str | None, str | None]:
        """The line of each side from which the layer is called."""
        return self.layer.get("called"), self.other_layer.get("called")

    @property
    def is_set_otherwise(self) -> bool:
        """Whether its layer is of another class in the other run, or has other settings there."""
        return any(self.layer.get(key) != self.other_layer.get(key) for key in ("class", "settings", "training"))

    @property
    def missing_in(self) -> str:
        """The run that has no such tensor: first, second, or none."""
        if self.stage in WHOLE:
            return ""
        return "first" if not self.one else "second" if not self.other else ""

    def __str__(self) -> str:
        what = WORDS.get(self.stage) or f"the optimizer's {self.role.removeprefix('state.')}"
        kind = self.layer.get("class")
        if self.stage in WHOLE:
            return what
        if self.stage in ("act", "act_grad", "eval"):
            return f"{what} of `{self.name}` ({kind})" if self.name else f"{what} of the model ({kind})"
        return f"{what} of `{self.name}`"


def places_at(step: int, joined: Joined, curve: Curve, sides: Sequence[Recorded], at_least: float) -> list[Place]:
    """The places of a step that differ by more than `at_least`, in order; with 0, all that differ at all."""
    rows = joined.at(step)
    weak = [joined.names[int(series)] for series in rows.series[rows.faint]]
    faint = {each.name for each in weak if each.role == "grad"}
    found = [_place(int(row), rows, joined, sides) for row in np.flatnonzero(rows.beyond(at_least))]
    found = [place for place in found if at_least == 0 or place.role == "act" or place.name not in faint]
    losses = curve.at(step)
    if losses is not None and losses[2] > at_least:
        found.append(Place(step, "loss", "loss", "", 0, {}, {}, losses[2], {"value": losses[0]}, {"value": losses[1]}))
    return _origin_first(_in_order(found, joined, sides[0]), sides[0])


def place_of_data(step: int) -> Place:
    """The batch itself, where no tensor of the model was seen to differ."""
    return Place(step, "data", "data", "", 0, {}, {}, float("nan"), {}, {})


def _in_order(found: list[Place], joined: Joined, side: Recorded) -> list[Place]:
    ids = {(one.role, one.model, one.name, str(one.phase)): one.id for one in joined.names.values()}
    # An optimizer may hold them in groups, in any order.
    of_model = {name: number for number, name in enumerate(side.parameters)}

    def key(place: Place) -> tuple[int, int]:
        phase = "eval" if place.stage == "eval" else "train"
        number = ids.get((place.role, place.model, place.name, phase), 0)
        number = of_model.get((place.model, place.name), number) if place.stage in OF_PARAMETERS else number
        # Parameters get their gradients from the last to the first.
        return ORDER.index(place.stage), -number if place.stage == "grad" else number

    return sorted(found, key=key)


def _origin_first(found: list[Place], side: Recorded) -> list[Place]:
    """The same places; the first output is the one that no other output explains.

    A layer that is called twice is measured as one: what differs may be its second call, behind a layer that differs.
    """
    outputs = {place.name: place for place in found if place.stage == "act"} if found else {}
    if not outputs or found[0].stage != "act":
        return found
    if found[0].missing_in:
        # One run has no outputs of a training, being in evaluation mode: what depends on the mode tells them apart.
        first = next((each for each in outputs.values() if _depends_on_mode(each.layer)), found[0])
        return [first, *(place for place in found if place is not first)]
    before = side.edges_into(found[0].model)
    name, seen = found[0].name, {found[0].name}
    while unequal := [each for each in before.get(name, ()) if each in outputs]:
        fresh = [each for each in unequal if each not in seen]
        if not fresh:
            # Round in a circle, as of a layer that is called on what follows from it: settings may tell.
            others = [each for each in outputs.values() if each.name in seen and each.is_set_otherwise]
            name = others[0].name if others else found[0].name
            break
        name = fresh[0]
        seen.add(name)
    return [outputs[name], *(place for place in found if place is not outputs[name])]


def _depends_on_mode(layer: Mapping[str, Any]) -> bool:
    kind = str(layer.get("class"))
    return "BatchNorm" in kind or drops(kind, str(layer.get("settings")))


def _place(row: int, rows: Rows, joined: Joined, sides: Sequence[Recorded]) -> Place:
    series = joined.names[int(rows.series[row])]
    theirs = joined.theirs.get(series.id, series)
    stage = "eval" if series.phase == "eval" else "state" if series.role.startswith("state") else series.role
    return Place(
        step=int(rows.steps[row]),
        stage=stage,
        role=series.role,
        name=series.name,
        model=series.model,
        layer=sides[0].layer_of(series.model, series.name),
        other_layer=sides[1].layer_of(theirs.model, theirs.name),
        error=float(rows.errors[row]),
        one=_measures(rows.one[row].tolist()),
        other=_measures(rows.other[row].tolist()),
    )


def _measures(row: list[float]) -> dict[str, float]:
    """The measures by their names; none where the run has no such tensor."""
    return {} if row[0] != row[0] else dict(zip(COMPARED, row, strict=True))


def factor_of(place: Place) -> float | None:
    """The factor by which one tensor differs, if all of its moments differ by it; negative if it is negated."""
    if place.missing_in or not place.one["rms"] or not place.other["rms"]:
        return None
    factor = place.other["rms"] / place.one["rms"]
    ends = [[side["min"], side["max"]] for side in (place.one, place.other)]
    reach = 1e-4 * max(map(abs, ends[1]))
    for sign, order in ((1, 1), (-1, -1)):
        wanted = [sign * factor * each for each in ends[0]][::order]
        if abs(factor - 1) > 1e-3 and np.allclose(wanted, ends[1], atol=reach):
            return sign * factor
    return None


def factor_between(step: int, role: str, joined: Joined) -> float | None:
    """The factor by which all tensors of a role differ, if it is one for all of them; negative if they are negated."""
    rows = joined.at(step)
    wanted = [joined.names[int(series)].role == role for series in rows.series] & ~rows.faint
    if not wanted.any():
        return None
    a, b = rows.one[wanted], rows.other[wanted]
    with np.errstate(all="ignore"):
        ratios = b[:, COLUMN["rms"]] / a[:, COLUMN["rms"]]
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    if not len(ratios) or ratios.max() > ratios.min() * 1.001:
        return None
    swapped = np.allclose(a[:, COLUMN["min"]], -b[:, COLUMN["max"]] / ratios.mean(), rtol=1e-3)
    kept = np.allclose(a[:, COLUMN["min"]], b[:, COLUMN["min"]] / ratios.mean(), rtol=1e-3)
    return float(-ratios.mean() if swapped and not kept else ratios.mean())
