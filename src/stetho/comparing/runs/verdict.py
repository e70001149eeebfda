"""What the first difference of two runs means, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from stetho.comparing.runs.curve import Curve
from stetho.comparing.runs.data import Data
from stetho.comparing.runs.feeding import drops_alike, fed_otherwise
from stetho.comparing.runs.growth import Growth
from stetho.comparing.runs.places import Place
from stetho.comparing.runs.randomness import drops
from stetho.comparing.runs.recorded import Recorded

Kind = Literal[
    "equal", "rounding", "data", "weights", "randomness", "forward", "loss", "gradient", "optimizer", "update",
    "evaluation", "outside", "incomparable",
]  # fmt: skip

MEANING: dict[str, str] = {
    "equal": "everything that was recorded is equal",
    "rounding": "the runs differ by rounding alone",
    "data": "the runs are fed different data",
    "weights": "the runs begin with different weights",
    "randomness": "the runs draw different random numbers",
    "forward": "the forward pass differs",
    "loss": "the model's outputs are equal, the loss is not: the loss function or its targets differ",
    "gradient": "the forward pass is equal, the gradient is not",
    "optimizer": "the gradients are equal, the optimizer is not: what it makes of them differs",
    "update": "gradients and optimizer state are equal, the update is not",
    "evaluation": "training is equal up to then, evaluation is not",
    "outside": "the weights were changed outside of the optimizer",
    "incomparable": "the runs have no step in common",
}
OF_STAGE: dict[str, Kind] = {
    "act": "forward",
    "loss": "loss",
    "act_grad": "gradient",
    "grad": "gradient",
    "state": "optimizer",
    "update": "update",
    "eval": "evaluation",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What kind of difference comes first, at which step, and whether the losses stay within the tolerance."""

    kind: Kind
    step: int | None
    sentence: str
    is_small: bool
    """Whether it is of the size of rounding, and the losses stay within the tolerance."""


def kind_of(place: Place, first_step: int, data: Data, sides: Sequence[Recorded] = ()) -> Kind:
    """The kind of difference that begins at a place."""
    if place.stage == "data":
        return "data"
    if data.step is not None and data.step <= place.step and place.stage not in ("param",):
        return "data" if data.kind != "targets" or place.stage not in ("act",) else "forward"
    if place.stage == "param":
        return "weights" if place.step <= first_step else "outside"
    if place.stage == "act" and _draws(place):
        is_given = drops_alike(place) or (len(sides) > 1 and fed_otherwise(place, sides))
        return "forward" if is_given else "randomness"
    return OF_STAGE[place.stage]


def _draws(place: Place) -> bool:
    """Whether a layer draws random numbers: the same layer with the same settings in both runs, in training in both."""
    layers = (place.layer, place.other_layer)
    if any(layer.get("training") is False for layer in layers) or layers[0].get("settings") != layers[1].get(
        "settings"
    ):
        return False
    names = [str(layer.get("class")) for layer in layers]
    return names[0] == names[1] and drops(names[0], str(layers[0].get("settings")))


def sentence_of(kind: Kind, place: Place | None, curve: Curve, growth: Growth | None = None) -> str:
    """The verdict in one or two sentences: what, where, and what the loss shows of it."""
    words = MEANING[kind]
    if kind == "rounding" and growth is not None:
        return f"{words}: {growth.sentence}"
    if kind == "equal" and curve.first_unequal is not None:
        return f"{words}, but for rounding"
    if place is None or kind in ("equal", "incomparable"):
        return words
    missing = f", which the {place.missing_in} run does not have" if place.missing_in else ""
    return f"{words}. First at step {place.step}: {place}{missing}{_loss_words(place, curve)}"


def _loss_words(place: Place, curve: Curve) -> str:
    here, after = curve.at(place.step), curve.at(place.step + 1)
    if (
        place.stage in ("grad", "act_grad", "state", "update", "eval")
        and here
        and after
        and here[2] == 0
        and after[2] > 0
    ):
        return f"; the losses are equal at step {place.step} and {_percent(after[2])} apart at step {place.step + 1}"
    if here and here[2] > 0:
        return f"; the losses are {_percent(here[2])} apart"
    return ""


def _percent(apart: float) -> str:
    return "not both finite, so beyond measure" if apart == float("inf") else f"{100 * apart:.2g} %"


def names_of(places: Sequence[Place], most: int = 3) -> str:
    """The first few names of places, for a sentence."""
    names = list(dict.fromkeys(f"`{place.name}`" for place in places))
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
