"""Names of tensors: their layers, and how names of two checkpoints meet: without a prefix, with other signs in them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


def layer_of(name: str) -> str:
    """The name without its last part.

    >>> layer_of("encoder.0.weight"), layer_of("layers/dense/kernel"), layer_of("bias")
    ('encoder.0', 'layers/dense', '')
    """
    cut = max(name.rfind("."), name.rfind("/"))
    return name[:cut] if cut > 0 else ""


def extra_prefix(names: Iterable[str], others: Iterable[str]) -> str:
    """The prefix that names have and the others lack: `module.` of a parallel model, `state_dict.` of a trainer.

    It is given only where more names meet without it than with it.

    >>> extra_prefix(["module.a.w", "module.b.w", "epoch"], ["a.w", "b.w"])
    'module.'
    >>> extra_prefix(["a.w"], ["a.w"])
    ''
    """
    own, known = list(names), set(others)
    candidates: Counter[str] = Counter()
    for name in own:
        for place in (at + 1 for at, sign in enumerate(name) if sign in "./"):
            if name[place:] in known:
                candidates[name[:place]] += 1
                break
    if not candidates:
        return ""
    prefix, count = max(candidates.items(), key=lambda item: (item[1], -len(item[0])))
    return prefix if count > sum(name in known for name in own) else ""


@dataclass(frozen=True, slots=True)
class Meeting:
    """The names under which tensors of two checkpoints are compared, in their order, and what was changed in them."""

    first: Sequence[str]
    second: Sequence[str]
    notes: Sequence[str] = ()

    @property
    def count(self) -> int:
        """How many names both have."""
        return len(set(self.first) & set(self.second))


def meeting_of(first: Sequence[str], second: Sequence[str]) -> Meeting:
    """Names of two checkpoints without a prefix of one alone; with dots for strokes where only that makes them meet.

    >>> meeting_of(["a.w"], ["layers/a/w"]).second
    ['a.w']
    """
    as_they_are = _without_prefix(first, second)
    dotted = [[name.replace("/", ".") for name in names] for names in (first, second)]
    if any(len(set(names)) < len(names) for names in dotted):
        return as_they_are
    found = _without_prefix(*dotted)
    if found.count <= as_they_are.count:
        return as_they_are
    note = "one checkpoint writes `/` in its names where the other writes `.`; compared as if both wrote `.`"
    return Meeting(found.first, found.second, (note, *found.notes))


def _without_prefix(first: Sequence[str], second: Sequence[str]) -> Meeting:
    cut_first = extra_prefix(first, second)
    cut_second = "" if cut_first else extra_prefix(second, first)
    notes = [
        f"names of the {which} checkpoint begin with `{cut}`, those of the other do not; compared without it"
        for which, cut in (("first", cut_first), ("second", cut_second))
        if cut
    ]
    names = [[name.removeprefix(cut) for name in names] for names, cut in ((first, cut_first), (second, cut_second))]
    return Meeting(names[0], names[1], notes)
