"""Two models on one input: the same values, the same gradients, or the first place where they part."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stetho.comparing.models.first_difference import error_of, find_difference
from stetho.comparing.models.layers import match_layers
from stetho.comparing.models.matches_file import check_matches, given_matches, write_matches
from stetho.comparing.models.result import ModelComparison
from stetho.comparing.models.sharing import laid_out_anew, shared_by_one, without_effect
from stetho.comparing.models.sides import ROUGH, Sides, holds_rounded, sides_of
from stetho.comparing.models.trace import Array, Trace
from stetho.comparing.porting.by_value import common_weights, share_in_common
from stetho.comparing.porting.folding import directly_used, folded_weights, is_derived, is_source, made_weights
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.tensor_error import TensorError
from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.comparing.torch.subject import Subject

MOSTLY = 0.5
"""Where so many weights are the same already, somebody has carried them over, and they are left as they are."""


def compare_models(
    one: Any,
    other: Any,
    inputs: Any,
    *,
    names: tuple[str, str] = ("first", "second"),
    port: bool | None = None,
    tolerance: float | None = None,
    training: bool = False,
    matches: str | Path | None = None,
) -> ModelComparison:
    """Compare two models on the same input, without chance and almost without rounding.

    `port` carries the weights of the first over to the second; None does so unless most are the same already.

    >>> import torch
    >>> first = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU())
    >>> second = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.GELU(approximate="tanh"))
    >>> found = compare_models(first, second, (2, 4))
    >>> str(found.first_difference), found.first_difference.reasons[0]
    ('gelu in `1` (GELU)', "`approximate` is 'none' in the first, 'tanh' in the second")
    """
    from stetho.comparing.torch.subject import subjects_of

    if tolerance is not None and tolerance <= 0:
        raise UsageError(f"`tolerance` (={tolerance}) is not above 0; it is a share of the values, as 1e-6")
    subjects, notes = subjects_of((one, other), inputs, names, training=training)
    sides = sides_of(subjects, tolerance)
    recipes, derived = _without_rounding(subjects, sides)
    if sides.one is not subjects[0].trace() or sides.other is not subjects[1].trace():
        sides = sides_of(subjects, tolerance)
    found = given_matches(matches, sides.one, sides.other)
    given = found or []
    if port or (port is None and sides.unequal and share_in_common(recipes, sides.other.weights) < MOSTLY):
        from stetho.comparing.porting.search import find_port

        ported = find_port(*subjects, tolerance=tolerance, given=given)
        subjects[1].take(ported.made())
        sides, recipes, weights = sides_of(subjects, tolerance), ported.recipes, ported.sentence
        notes = [*notes, *without_effect(ported.unused, sides.one), *laid_out_anew(recipes)]
    else:
        weights = _as_they_are({*recipes, *derived}, sides)
    if tolerance is None and sides.unequal and sides.same.tolerance < ROUGH and holds_rounded(sides):
        tolerance = ROUGH
        sides = sides_of(subjects, tolerance)
    if matches and given:
        check_matches(matches, given, sides)
        sides = sides_of(subjects, tolerance, given)
    table = match_layers(sides.one, sides.other, sides.same, given)
    if matches and found is None:
        write_matches(Path(matches), table)
        notes = [*notes, f"matches are written to {matches}: change them there and compare again"]
    notes = [*notes, *shared_by_one(sides.one, sides.other, recipes)]
    notes += [] if training else [*_left_to_chance(sides)]
    difference, compared = find_difference(subjects, sides, recipes, given)
    return ModelComparison(
        names, difference, table, sides.same.tolerance, weights, _output_error(sides), compared, tuple(notes)
    )


def _without_rounding(subjects: tuple["Subject", "Subject"], sides: Sides) -> tuple[dict[str, Recipe], set[str]]:
    """Sums and products of weights were rounded to their type: made anew, only real differences are left.

    Gives the recipes of the second model's weights, and those of its weights that the first holds summed or folded.
    """
    made = [folded_weights(trace) | made_weights(trace) for trace in (sides.one, sides.other)]
    ours, theirs = sides.one.weights | made[0], sides.other.weights | made[1]
    recipes = _closest(sides.one, made[0], sides.other)
    subjects[1].take({name: recipe.made(ours) for name, recipe in recipes.items()})
    found = _closest(sides.other, made[1], sides.one)
    back = {name: each for name, each in found.items() if is_derived(each)}
    subjects[0].take({name: recipe.made(theirs) for name, recipe in back.items()})
    sources = {source for recipe in back.values() for source in recipe.sources}
    derived = {name for name in sides.other.weights if any(is_source(name, each) for each in sources)}
    return {name: recipe for name, recipe in recipes.items() if name not in derived}, derived


def _closest(one: Trace, made: Mapping[str, Array], other: Trace) -> dict[str, Recipe]:
    """Recipes of weights; where the other model uses a weight as it is and this one only what is made of it, that."""
    found = common_weights({**one.weights, **made}, other.weights)
    used, wanted = directly_used(one), directly_used(other)
    unlike = [name for name, each in found.items() if name in wanted and used.isdisjoint(each.sources)]
    return found | common_weights(made, {name: other.weights[name] for name in unlike})


def _left_to_chance(sides: Sides) -> Iterator[str]:
    """A sentence for each model that drops numbers though it is not being trained."""
    for who, trace in (("first", sides.one), ("second", sides.other)):
        if trace.chances:
            more = f" and {len(trace.chances) - 1} more" if len(trace.chances) > 1 else ""
            yield f"the {who} drops numbers in evaluation too, which is left out here: {trace.chances[0]}{more}"


def _output_error(sides: Sides) -> TensorError | None:
    ends = sides.unequal or [(sides.one.outputs[a], sides.other.outputs[b]) for a, b in sides.outputs]
    values = sides.one.sites[ends[0][0]].value, sides.other.sites[ends[0][1]].value
    return error_of(*values, sides.one.original_dtype)


def _as_they_are(known: set[str], sides: Sides) -> str:
    wanted = [name for name, value in sides.other.weights.items() if value.dtype.kind == "f"]
    if not wanted:
        return "none"
    apart = [name for name in wanted if name not in known]
    words = f"{len(wanted) - len(apart)} of {len(wanted)} tensors of the second are those of the first"
    return words + (f"; not: {', '.join(apart[:4])}{' …' if len(apart) > 4 else ''}" if apart else "")
