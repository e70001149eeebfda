"""Which samples keep a batch from being put together: those that are made otherwise than most of it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from stetho.pipeline.arrays import as_array, make_of
from stetho.pipeline.facts import Key

Leaves = Sequence[tuple[str, Any]]
MOST_NAMED = 3


def odd_ones(keys: Sequence[Key], samples: Sequence[Leaves]) -> str:
    """The samples of a batch whose fields, types or shapes are none of the others'; empty if most have none in common.

    >>> odd_ones([7, 8, 9], [[("x", [1, 2])], [("x", [1])], [("x", [3, 4])]])
    'sample 8 has `x` as list of int64 [1], the others as list of int64 [2]'
    """
    if len({tuple(name for name, _ in each) for each in samples}) > 1:
        return _odd(keys, [_names(each) for each in samples], "has the fields {}, the others {}")
    for place, (name, _) in enumerate(samples[0] if samples else ()):
        made = [_made(each[place][1]) for each in samples]
        if len(set(made)) > 1:
            return _odd(keys, made, f"has `{name}` as {{}}, the others as {{}}")
    return ""


def _odd(keys: Sequence[Key], made: Sequence[str], words: str) -> str:
    usual, count = Counter(made).most_common(1)[0]
    odd = [(key, one) for key, one in zip(keys, made, strict=True) if one != usual]
    if count <= len(odd):
        return ""
    told = [f"sample {key} {words.format(one, usual)}" for key, one in odd[:1]]
    more = [str(key) for key, _ in odd[1:]]
    listed = ", ".join(more[:MOST_NAMED]) + (" …" if len(more) > MOST_NAMED else "")
    return told[0] + (f"; so do not fit {listed}" if more else "")


def _names(sample: Leaves) -> str:
    return ", ".join(f"`{name}`" for name, _ in sample)


def _made(value: Any) -> str:
    shape = getattr(value, "shape", None)
    if shape is None:
        array = as_array(value)
        shape = array.shape if array is not None else ()
    return f"{make_of(value)} {list(shape)}" if len(shape) else make_of(value)
