"""What a person should look at in a data set: sentences with numbers, no judgement where none is safe."""

from collections.abc import Callable, Iterator, Sequence

from stetho.pipeline.facts import Batches, Duplicates, Field, Key, Split

KEYS_LISTED = 4
RARE = 0.1
"""A class with less than this share of what it had if all were equally frequent is rare."""
MUCH_PADDING = 0.3
FAR_APART = 0.5
"""Means of two splits that differ by more than so many deviations are told."""


def remarks(
    fields: Sequence[Field],
    duplicates: Duplicates,
    batches: Batches | None,
    birth: Callable[[Key], str | None] = lambda _key: None,
) -> Iterator[str]:
    """All that is odd in one data set; `birth` tells where the NaN of a sample comes from."""
    for field in fields:
        yield from _values(field, birth)
        yield from _classes(field)
    yield from _repeated(duplicates)
    for field in batches.fields if batches is not None else ():
        if field.padding is not None and field.padding >= MUCH_PADDING:
            yield f"{_share(field.padding)} of `{field.name}` in batches is padding; sort by length to have less"


def _values(field: Field, birth: Callable[[Key], str | None]) -> Iterator[str]:
    name = f"`{field.name}`"
    if field.nan or field.inf:
        what = " and ".join(f"{n:,} {word}" for n, word in ((field.nan, "NaN"), (field.inf, "infinite")) if n)
        values = "value" if field.nan + field.inf == 1 else "values"
        born = birth(field.nonfinite_at[0]) if field.nan and field.nonfinite_at else None
        origin = f"; {born}" if born else ""
        yield f"{name} holds {what} {values}, first in sample {_keys(field.nonfinite_at)}{origin}"
    if field.missing:
        yield f"{name} is missing or None in {_many(field.missing)}"
    if " | " in field.make:
        yield f"{name} is of several makes: {field.make}"
    if field.blank:
        yield f"{name} has {_many(field.blank)} with one value all over: {_keys(field.blank_at)}"
    if field.constant:
        whole = " (all of it)" if field.constant == field.size else ""
        yield f"{name} has {field.constant:,} of {field.size:,} positions that never change{whole}"
    elif field.low is not None and field.low == field.high and sum(n for _, n in field.counts) == field.values > 1:
        yield f"{name} is {field.low:g} in every sample"


def _classes(field: Field) -> Iterator[str]:
    if not field.is_label or len(field.counts) < 2:
        return
    total, classes = sum(n for _, n in field.counts), len(field.counts)
    rare = [(value, n) for value, n in reversed(field.counts) if n < RARE * total / classes]
    if rare:
        listed = ", ".join(f"{value} ({n:,})" for value, n in rare[:KEYS_LISTED])
        yield f"`{field.name}` has {_many(len(rare), 'rare class', 'rare classes')} among {classes:,}: {listed}"
    largest, n = field.counts[0]
    if n > 0.8 * total:
        yield f"`{field.name}` is {largest} in {_share(n / total)} of the samples"


def _repeated(duplicates: Duplicates) -> Iterator[str]:
    if duplicates.extra:
        share = _share(duplicates.extra / duplicates.looked_at)
        repeat = "repeats" if duplicates.extra == 1 else "repeat"
        yield f"{_many(duplicates.extra)} ({share}) {repeat} an earlier one: {_pairs(duplicates.pairs)}"
    if duplicates.conflicts:
        yield (
            f"{_many(duplicates.conflicts)} with the input of an earlier one, but another label: "
            f"{_pairs(duplicates.conflicting)}"
        )


def between(name: str, fields: Sequence[Field], split: Split) -> Iterator[str]:
    """What is odd about another data set beside this one."""
    if split.shared:
        share = _share(split.shared / max(split.duplicates.looked_at, 1))
        places = ", ".join(f"{theirs} as {ours}" for ours, theirs in split.shared_pairs[:KEYS_LISTED])
        more = ", …" if split.shared > KEYS_LISTED else ""
        are = "is" if split.shared == 1 else "are"
        yield f"{_many(split.shared)} of {split.name} ({share}) {are} in {name} too: {places}{more}"
    others = {field.name: field for field in split.fields}
    for field in fields:
        other = others.pop(field.name, None)
        if other is None:
            yield f"{split.name} has no field `{field.name}`"
            continue
        if field.mean is not None and other.mean is not None and field.std and not field.is_label:
            apart = abs(field.mean - other.mean) / field.std
            if apart > FAR_APART:
                yield (
                    f"`{field.name}` has mean {field.mean:.4g} in {name} and {other.mean:.4g} in {split.name}, "
                    f"{apart:.1f} deviations apart"
                )
        if field.is_label and other.counts:
            known = {value for value, _ in field.counts}
            unknown = [value for value, _ in other.counts if value not in known]
            if unknown:
                listed = ", ".join(unknown[:KEYS_LISTED])
                yield f"`{field.name}` has classes in {split.name} that {name} has not: {listed}"


def _many(number: int, one: str = "sample", many: str = "samples") -> str:
    return f"{number:,} {one if number == 1 else many}"


def _share(value: float) -> str:
    return f"{value:.0%}" if value >= 0.1 else f"{value:.2g}" if value < 0.001 else f"{value:.1%}"


def _keys(keys: Sequence[Key]) -> str:
    return ", ".join(map(str, keys[:KEYS_LISTED])) + (", …" if len(keys) > KEYS_LISTED else "")


def _pairs(pairs: Sequence[tuple[Key, Key]]) -> str:
    return ", ".join(f"{one} = {two}" for one, two in pairs[:KEYS_LISTED]) + (", …" if len(pairs) > KEYS_LISTED else "")
