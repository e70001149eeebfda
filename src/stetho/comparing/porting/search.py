"""The port of weights from one model into another: found by order, shape and name, confirmed by equal values."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain, permutations
from typing import TYPE_CHECKING

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.outputs import pair_outputs
from stetho.comparing.models.reasons import weights_of
from stetho.comparing.models.region import beginnings, region
from stetho.comparing.models.trace import Array, Site, Trace
from stetho.comparing.models.values import REORDERED, likeness
from stetho.comparing.porting.cells import is_of_a_cell
from stetho.comparing.porting.folding import FOLDED, folded_weights
from stetho.comparing.porting.given import Group, align_in, groups_of
from stetho.comparing.porting.head_rows import other_heads
from stetho.comparing.porting.recipe import Recipe
from stetho.comparing.porting.usage import Used, used_weights
from stetho.errors import UsageError

if TYPE_CHECKING:
    from stetho.comparing.torch.subject import Subject

NEAR = 1e-6
"""Values of a model that is being filled may be so far apart: its weights are rounded."""
MOST_TRIALS = 120
MOVED = 0.25
"""What a tensor counts whose values are there in another order."""

Recipes = dict[str, Recipe]


@dataclass(frozen=True)
class Port:
    """How each weight of the second model is made from the first, and whether the outputs are then the same."""

    recipes: Recipes
    sources: Mapping[str, Array]
    is_confirmed: bool
    left: tuple[str, ...] = ()
    """Weights of the second model that get no values."""
    unused: tuple[str, ...] = ()
    """Weights of the first model that go nowhere."""
    agreeing: float = 0.0
    """The share of the second model's computed tensors that the first computes too."""

    def made(self) -> dict[str, Array]:
        """The weights of the second model."""
        return {name: recipe.made(self.sources) for name, recipe in self.recipes.items()}

    @property
    def sentence(self) -> str:
        """What was carried over, in words."""
        count = len(self.recipes)
        words = f"carried over from the first to the second: {count} of {count + len(self.left)} tensors"
        words += f"; not: {', '.join(self.left[:4])}{' …' if len(self.left) > 4 else ''}" if self.left else ""
        return words + ("; confirmed: the outputs are then equal" if self.is_confirmed else "")


@dataclass(frozen=True)
class Trial:
    """Recipes that were tried, and how far they lead."""

    recipes: Recipes
    is_equal: bool
    agreeing: float
    suspects: frozenset[str] = frozenset()
    """The weights that come last before the first values that differ."""

    @property
    def rank(self) -> tuple[bool, float]:
        """The better of two trials has the larger one."""
        return self.is_equal, self.agreeing


def find_port(
    one: "Subject", other: "Subject", *, tolerance: float | None = None, given: Sequence[tuple[str, str]] = ()
) -> Port:
    """Find out which weight becomes which; the second model is left with the best that was found.

    `given` are layers that somebody has matched: their weights stay among themselves.
    """
    first, second = one.trace(), other.trace()
    sources = first.weights | folded_weights(first)
    tried: list[tuple[Trial, list[Group]]] = []
    for folded in (False, True) if len(sources) > len(first.weights) else (False,):
        ours, theirs = _ours(first, sources, folded=folded), used_weights(second)
        groups = groups_of(given, ours, theirs)
        tried.append((_tried(align_in(groups, ours, theirs), first, other, sources, tolerance), groups))
    best, groups = max(tried, key=lambda each: each[0].rank)
    trials, shapes = 0, {site.value.shape for trace in (first, second) for site in trace.sites if site.is_data}
    while not best.is_equal and trials < MOST_TRIALS:
        better = None
        for changed in chain(
            alternatives(best.recipes, sources, best.suspects), other_heads(best.recipes, sources, shapes)
        ):
            if not all(group.is_kept(changed) for group in groups):
                continue
            trials += 1
            trial = _tried(changed, first, other, sources, tolerance)
            if trial.rank > best.rank and (better is None or trial.rank > better.rank):
                better = trial
            if trial.is_equal or trials >= MOST_TRIALS:
                break
        if better is None:
            break
        best = better
    if groups and not best.is_equal:
        _check_given(find_port(one, other, tolerance=tolerance), groups)
    other.take({name: recipe.made(sources) for name, recipe in best.recipes.items()})
    return _port(best, first, second, sources)


def _check_given(without: Port, groups: Sequence[Group]) -> None:
    """Complain of matches that stand in the way: without them, all weights find their places."""
    wrong = [" = ".join(group.pair) for group in groups if not group.is_kept(without.recipes)]
    if without.is_confirmed and wrong:
        lines = ", ".join(f"`{each}`" for each in wrong[:3]) + (" …" if len(wrong) > 3 else "")
        raise UsageError(
            f"weights cannot be carried over with these matches: {lines}; without them, they can, and both models give "
            "the same; change or remove the lines"
        )


def alternatives(recipes: Recipes, sources: Mapping[str, Array], suspects: Set[str]) -> Iterator[Recipes]:
    """Other conventions: parts in another order, gates in another order, square matrices the other way.

    What is tried for one weight alone is tried for suspects.
    """
    for count in (2, 3, 4):
        cut = {name: each for name, each in recipes.items() if each.part is not None and each.part[1] == count}
        for order in list(permutations(range(count)))[1:] if cut else ():
            yield recipes | {
                name: replace(each, part=(order[each.part[0]], count)) for name, each in cut.items() if each.part
            }
        joined = {name: each for name, each in recipes.items() if len(each.sources) == count and not each.is_summed}
        for order in list(permutations(range(count)))[1:] if joined else ():
            yield recipes | {
                name: replace(each, sources=tuple(each.sources[at] for at in order)) for name, each in joined.items()
            }
    folded = {name: each for name, each in recipes.items() if each.axes}
    for inner in chain.from_iterable(_inner_orders(count) for count in sorted({len(r.axes) for r in folded.values()})):
        yield recipes | {
            name: replace(each, axes=(0, *inner)) for name, each in folded.items() if len(each.axes) == len(inner) + 1
        }
    for count in (4, 3):
        gates = {name: each for name, each in recipes.items() if _has_gates(name, each, count)}
        for order in list(permutations(range(count)))[1:] if gates else ():
            yield recipes | {name: replace(each, order=order) for name, each in gates.items()}
    held = {name: each for name, each in recipes.items() if each.columns is not None}
    if held:
        yield recipes | {name: replace(each, columns=_other_end(each, sources)) for name, each in held.items()}
    square = {name for name, each in recipes.items() if len(each.shape) == 2 and each.shape[0] == each.shape[1]}
    for names in ([square] if len(square) > 1 else []) + [{name} for name in sorted(square & suspects)]:
        yield recipes | {
            name: replace(recipes[name], is_turned_back=not recipes[name].is_turned_back) for name in names
        }
    yield from _swapped(recipes, suspects)


def _swapped(recipes: Recipes, suspects: Set[str]) -> Iterator[Recipes]:
    """Neighbours of one shape, each with the values of the other: branches that run in another order."""
    whole = [name for name, each in recipes.items() if each.part is None and len(each.sources) == 1]
    for place, one in enumerate(whole):
        for other in whole[place + 1 : place + 4]:
            if not {one, other} & suspects or recipes[one].shape != recipes[other].shape:
                continue
            if len(recipes[one].shape) < 2:
                # A bias, and a parameter of its own that is used before it or behind it.
                yield recipes | {one: recipes[other], other: recipes[one]}
            else:
                stems = one.rpartition(".")[0], other.rpartition(".")[0]
                pairs = [(name, stems[1] + name[len(stems[0]) :]) for name in whole if name.startswith(f"{stems[0]}.")]
                changed = dict(recipes)
                for a, b in pairs:
                    if b in recipes and recipes[a].shape == recipes[b].shape:
                        changed[a], changed[b] = recipes[b], recipes[a]
                yield changed


def _has_gates(name: str, recipe: Recipe, count: int) -> bool:
    """Whether a weight may hold the gates of a cell one above the other; gates that are cut or joined have names."""
    is_cell = bool(recipe.order) or any(map(is_of_a_cell, (name, *recipe.sources)))
    is_whole = recipe.part is None and (len(recipe.sources) == 1 or recipe.is_summed or recipe.is_beside)
    return is_cell and is_whole and bool(recipe.shape) and recipe.shape[-1 if recipe.is_turned_back else 0] % count == 0


def _inner_orders(count: int) -> Iterator[tuple[int, ...]]:
    """In which other orders a patch may be laid out: channels last, columns before rows."""
    yield from list(permutations(range(1, count)))[1:]


def _other_end(recipe: Recipe, sources: Mapping[str, Array]) -> tuple[int, int]:
    """As many columns, counted from the other end: the state may stand before the input."""
    assert recipe.columns is not None
    width = sources[recipe.sources[0]].shape[0 if recipe.is_turned else -1]
    return width - recipe.columns[1], width - recipe.columns[0]


def _ours(first: Trace, sources: Mapping[str, Array], *, folded: bool) -> list[Used]:
    """The weights of the first model in the order of their use, with folded norms where that is wanted."""
    used = used_weights(first, again=True)
    if not folded:
        return used
    together = {name.partition(FOLDED): value for name, value in sources.items() if FOLDED in name}
    gone = {f"{norm}." for _, _, norm in together}
    found = []
    for each in used:
        if each.name.startswith(tuple(gone)):
            continue
        stem = each.name.rpartition(".")[0]
        parts = [(key, value) for key, value in together.items() if key[0].rpartition(".")[0] == stem]
        if not parts:
            found.append(each)
        elif each.name.endswith("weight"):
            found += [Used("".join(key), value) for key, value in parts]
    return found


def _tried(
    recipes: Recipes, first: Trace, other: "Subject", sources: Mapping[str, Array], tolerance: float | None
) -> Trial:
    other.take({name: recipe.made(sources) for name, recipe in recipes.items()})
    now, limit = other.trace(), tolerance or NEAR
    pairs = [(first.sites[first.outputs[a]], now.sites[now.outputs[b]]) for a, b in pair_outputs(first, now, limit)]
    is_equal = all(likeness(a.value, b.value, limit) in ("same", "reshaped") for a, b in pairs)
    same = Agreements(first, now, limit)
    floats = [site.number for site in now.sites if site.is_data and site.is_float and site.operands]
    # With queries for keys, all scores are there as well, turned: what stands in its place counts for more.
    found = [same.of_other[number].how for number in floats if number in same.of_other]
    agreeing = sum(MOVED if how == REORDERED else 1.0 for how in found) / max(len(floats), 1)
    if is_equal:
        return Trial(recipes, is_equal, agreeing)
    ends = [now.outputs[b] for _, b in pair_outputs(first, now, limit)]
    starts = beginnings(region(now, ends, lambda number: number in same.of_other and number not in ends))
    suspects = frozenset(name for start in starts[:2] for name in _last_weights(now, start))
    return Trial(recipes, is_equal, agreeing, suspects)


def _last_weights(trace: Trace, site: Site) -> set[str]:
    """The weights of an operation, or of what comes before it if it has none."""
    own = {each.name for each in weights_of(trace, site)}
    before = [trace.sites[each] for each in site.operands if trace.sites[each].is_data]
    return own or {name for each in before for name in _last_weights(trace, each)}


def _port(best: Trial, first: Trace, second: Trace, sources: Mapping[str, Array]) -> Port:
    wanted = {each.name for each in used_weights(second)}
    taken = {source for recipe in best.recipes.values() for source in recipe.sources}
    folded = {name.partition(FOLDED)[2] for name in taken if FOLDED in name}
    inside = {name.partition(FOLDED)[0] for name in taken if FOLDED in name}
    unused = [
        each.name
        for each in used_weights(first)
        if each.name not in taken | inside and each.name.rpartition(".")[0] not in folded
    ]
    left = tuple(name for name in second.weights if name in wanted and name not in best.recipes)
    return Port(best.recipes, sources, best.is_equal, left, tuple(unused), best.agreeing)
