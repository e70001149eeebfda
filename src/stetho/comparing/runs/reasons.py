"""Why two runs differ where they do: the facts that bear on it, and what their numbers give away."""

from collections.abc import Iterator, Sequence

import numpy as np

from stetho.comparing.runs.data import Data
from stetho.comparing.runs.fact import Fact
from stetho.comparing.runs.feeding import drops_alike, fed_otherwise
from stetho.comparing.runs.joined import Joined
from stetho.comparing.runs.places import Place, factor_between, factor_of
from stetho.comparing.runs.recorded import Recorded
from stetho.comparing.runs.verdict import Kind, names_of

OF_LOSS = ("loss ",)
OF_GRADIENT = ("backward passes", "clipping", "loss scale", "loss ", "batch size")
OF_UPDATE = ("optimizer", "lr", "scheduler", "group ", "betas", "eps", "weight_decay", "momentum", "nesterov",
             "amsgrad", "maximize", "dampening", "alpha", "decoupled_weight_decay", "centered")  # fmt: skip
WITH_WEIGHTS = ("bias=", "affine=")
"""Settings of a layer that decide which weights it has."""
ENDINGS = {"gradient": "trainable", "update": "in the optimizer", "optimizer": "in the optimizer"}


def reasons_for(
    kind: Kind, places: Sequence[Place], facts: Sequence[Fact], data: Data, joined: Joined, sides: Sequence[Recorded]
) -> list[str]:
    """Sentences that explain a verdict, the most telling first; empty if nothing recorded does."""
    place = places[0] if places else None
    if kind == "data":
        return [data.sentence]
    if place is None:
        return []
    found = {
        "weights": _of_weights,
        "forward": _of_forward,
        "evaluation": _of_forward,
        "gradient": _of_gradient,
        "update": _of_update,
    }.get(kind, _of_nothing)
    reasons = [*found(places, facts, joined, sides)]
    reasons += _named(kind, facts)
    if kind == "randomness":
        reasons.append(
            "the layer and its settings are equal: the state of the random generator is not, or the code before it"
            " gives it something else"
        )
    if kind in ("optimizer", "update") and (factor := factor_between(place.step, "update", joined)):
        reasons.append(_factor("the updates of all parameters", factor))
    if kind == "outside":
        reasons.append(f"the update of step {place.step - 1} was equal: something else writes to {names_of(places)}")
    return list(dict.fromkeys(filter(None, reasons)))


def _named(kind: Kind, facts: Sequence[Fact]) -> Iterator[str]:
    wanted = {"loss": OF_LOSS, "gradient": OF_GRADIENT, "optimizer": OF_UPDATE, "update": OF_UPDATE}.get(kind, ())
    for fact in facts:
        if fact.name.startswith(wanted) or fact.name.endswith(ENDINGS.get(kind, "\n")):
            yield _fact(fact)


def _fact(fact: Fact) -> str:
    return f"{fact.name}: {fact.one} in the first, {fact.other} in the second"


def _factor(what: str, factor: float) -> str:
    if abs(abs(factor) - 1) < 1e-4:
        return f"{what} are negated in the second run" if factor < 0 else ""
    sign = "negated and " if factor < 0 else ""
    return f"{what} of the second run are {sign}{abs(factor):.4g} times those of the first"


def _of_nothing(*_: object) -> Iterator[str]:
    return iter(())


def _of_update(
    _places: Sequence[Place], facts: Sequence[Fact], _joined: Joined, _sides: Sequence[Recorded]
) -> Iterator[str]:
    for fact in facts:
        if fact.name == "dtype":
            yield f"weights are {fact.one} in the first, {fact.other} in the second: updates are rounded to their steps"


def _of_weights(
    places: Sequence[Place], facts: Sequence[Fact], joined: Joined, sides: Sequence[Recorded]
) -> Iterator[str]:
    changed = [place for place in places if place.stage == "param"]
    every = {s.name for s in joined.names.values() if s.role == "param" and s.id in joined.theirs}
    loads = [side.fact("loads") for side in sides]
    if bool(loads[0]) != bool(loads[1]):
        yield f"only the {'first' if loads[0] else 'second'} run loads weights"
    scaled = [p for p in changed if not _is_same_size(p)]
    if scaled:
        first = scaled[0]
        yield (
            f"{names_of(scaled)}: drawn or set differently, rms {first.one['rms']:.4g} and {first.other['rms']:.4g}:"
            " another initialisation"
        )
    elif len(changed) > 1:
        same = f"{len(changed)} of {len(every)} parameters differ, all with the same spread"
        built = next((fact for fact in facts if fact.layer is not None and _builds_otherwise(fact)), None)
        if built is not None:
            yield f"{_fact(built)}: its weights take more or fewer random numbers, so that all others are drawn anew"
        typed = next((fact for fact in facts if fact.name == "dtype"), None)
        if typed is not None:
            same += f": they are {typed.one} and {typed.other}, and the same seed draws other numbers in another type"
        yield same if built is not None or typed is not None else f"{same}: another seed"
    else:
        yield f"{names_of(changed)} alone differs"


def _builds_otherwise(fact: Fact) -> bool:
    """Whether a layer is built with another number of weights, as far as its class and settings tell."""
    is_known = fact.name.endswith((" class", " shape")) or fact.name.startswith("layer ")
    return is_known or (fact.name.endswith(" settings") and any(word in fact.one + fact.other for word in WITH_WEIGHTS))


def _is_same_size(place: Place) -> bool:
    """Whether two tensors may be drawn from one distribution, as far as their number of elements tells."""
    a, b, count = place.one["rms"], place.other["rms"], max(place.one["count"], 1)
    return bool(abs(a - b) <= 4 * max(a, b) / np.sqrt(2 * count))


def _of_forward(
    places: Sequence[Place], facts: Sequence[Fact], joined: Joined, sides: Sequence[Recorded]
) -> Iterator[str]:
    place = places[0]
    own = [
        fact for fact in facts if fact.layer is not None and (_bears(fact.layer, place.name) or _shares(fact, place))
    ]
    for fact in own:
        yield _fact(fact)
    if place.missing_in and any(fact.name.endswith(" training") for fact in own):
        yield f"the {place.missing_in} run trains in evaluation mode from here on: `train()` is not called again"
    if types := _other_types(place):
        yield f"it computes in {types[0]} in the first run and in {types[1]} in the second"
        return
    kind, other = place.layer.get("class"), place.other_layer.get("class")
    is_container = any(name.startswith(f"{place.name}." if place.name else "") for name in _children(place, joined))
    if not own and is_container:
        yield f"every layer inside of it gives equal outputs: its own code, `forward` of {kind}, differs"
    elif not own and kind == other and drops_alike(place):
        same = f"as many elements are zero in both runs ({place.one['zeros']:.0f}): the same are dropped"
        yield fed_otherwise(place, sides) or f"{same}, so that the code before it gives it something else"
    elif not own and kind == other:
        yield fed_otherwise(place, sides) or _own_or_given(place, sides[0])
    if place.one.get("count") != place.other.get("count") and not place.missing_in:
        yield f"it has {place.one['count']:.0f} elements in the first run and {place.other['count']:.0f} in the second"


def _other_types(place: Place) -> list[str]:
    """The types of numbers that the layer of a place computes in, where the runs have two."""
    types = [str(layer.get("output")).partition("[")[0] for layer in (place.layer, place.other_layer)]
    return types if types[0] != types[1] and all(map(str.isidentifier, types)) and "None" not in types else []


def _own_or_given(place: Place, side: Recorded) -> str:
    if not any(
        each.get("optimizer") is not None for (model, _), each in side.parameters.items() if model == place.model
    ):
        return "no optimizer trains this model: what else writes to its weights differs, or its code"
    around = side.layer_of(place.model, place.name.rpartition(".")[0]) if place.name else {}
    if not around or around.get("class") in ("Sequential", "ModuleList"):
        return "its settings are equal, and so are the moments of its weights: its code or the order of values differs"
    name = f"`{around['name']}` ({around['class']})" if around.get("name") else f"the model ({around.get('class')})"
    return f"its settings and weights look equal: the code of {name} before it differs, or its own code"


def _children(place: Place, joined: Joined) -> list[str]:
    return [
        s.name for s in joined.names.values() if s.role == "act" and s.name != place.name and s.model == place.model
    ]


def _shares(fact: Fact, place: Place) -> bool:
    """Whether it says that a weight of a layer is that of another layer in one of the runs."""
    names = [name.strip() for side in (fact.one, fact.other) for name in side.split(",")]
    return fact.name.endswith(" shared with") and any(name.startswith(f"{place.name}.") for name in names)


def _is_set(fact: Fact, place: Place) -> bool:
    """Whether it is a setting of the layer that holds a place."""
    return fact.name.endswith(" settings") and fact.layer is not None and fact.layer == place.layer.get("name")


def _bears(layer: str, name: str) -> bool:
    """Whether a layer is the one of that name, is inside of it or around it."""
    plain = name.partition("[")[0]
    return plain == layer or plain.startswith(f"{layer}.") or layer.startswith(f"{plain}.") or not plain


def _of_gradient(
    places: Sequence[Place], facts: Sequence[Fact], joined: Joined, sides: Sequence[Recorded]
) -> Iterator[str]:
    place = places[0]
    step = place.step
    rows = [np.flatnonzero(side.steps["step"] == step) for side in sides]
    if all(len(row) for row in rows):
        stale, order = (
            [side.steps[key][row[0]] for side, row in zip(sides, rows, strict=True)] for key in ("stale_grad", "order")
        )
        if bool(stale[0]) != bool(stale[1]):
            which = "first" if stale[0] else "second"
            yield f"in the {which} run, gradients of the step before were still there when these were added"
        if order[0] != order[1] and all(order):
            yield f"the order of calls in the step: `{order[0]}` and `{order[1]}`"
    told = [fact for fact in facts if fact.name == f"`{place.name}` shared with" or _is_set(fact, place)]
    yield from map(_fact, told)
    if types := _other_types(place):
        yield f"its layer computes in {types[0]} in the first run and in {types[1]} in the second"
    elif place.stage == "grad" and not told and not place.missing_in:
        yield (
            "what comes back through the layers is equal: gradients are changed after the backward pass,"
            " or not cleared before it"
        )
    factor = factor_between(step, place.role, joined)
    if factor is not None:
        yield _factor("all gradients", factor)
    elif (own := factor_of(place)) is not None:
        yield _factor(f"those of `{place.name}`", own)
