"""Values that the preparation of the data made no number: what is written at the line, and whether they fit it."""

from dataclasses import dataclass

LOGARITHMS = ("log", "log2", "log10")
BY_FIGURE = "div by a figure of all"
OF_ANGLES = ("arccos", "arcsin", "acos", "asin")


@dataclass(frozen=True, slots=True)
class Made:
    """The operation in words, with how it is written, and what would have prevented it."""

    by: str
    prevention: str


def made_by(operation: str | None, result: str, *, are_some_spared: bool = False) -> Made | None:
    """What an operation that the text shows must have been given, to make such a value; None where it cannot have.

    Where samples are spared, a figure of all of them was not 0: they would all be spoiled.

    >>> made_by("div: (x - mean) / deviation", "nan").by
    'a division by 0 in `(x - mean) / deviation`'
    >>> made_by("log: np.log(x)", "-inf").by, made_by("log: np.log(x)", "inf") is None
    ('the logarithm of 0 in `np.log(x)`', True)
    """
    name, _, text = (operation or "").partition(": ")
    if name == BY_FIGURE and are_some_spared:
        return None
    if name in ("div", BY_FIGURE):
        prevention = "keep the divisor away from 0: add a small constant to it, or leave out what does not vary"
        return Made(f"a division by 0 in `{text}`", prevention)
    if name in LOGARITHMS and result in ("nan", "-inf"):
        of = "0" if result == "-inf" else "a negative number"
        return Made(f"the logarithm of {of} in `{text}`", "keep its argument above 0: log1p(x), or log(x.clip(1e-8))")
    if name in ("sqrt", "rsqrt") and (result == "nan" or (name, result) == ("rsqrt", "inf")):
        of = "a negative number" if result == "nan" else "0"
        return Made(f"the root of {of} in `{text}`", "keep its argument positive, as in sqrt(x.clip(0))")
    if name in OF_ANGLES and result == "nan":
        return Made(f"a value outside of -1 to 1 in `{text}`", "clip its argument to -1 and 1")
    return None
