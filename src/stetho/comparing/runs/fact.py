"""One thing that is not the same in two runs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MISSING = "–"


@dataclass(frozen=True, slots=True)
class Fact:
    """A setting with its values in both runs. `where` is the source line of each side, where one is known.

    >>> str(Fact("hyperparameters", "lr", "0.1", "0.2"))
    'lr 0.1 → 0.2'
    """

    area: str
    name: str
    one: str
    other: str
    where: tuple[str | None, str | None] = (None, None)
    layer: str | None = None

    def __str__(self) -> str:
        return f"{self.name} {self.one} → {self.other}"


def unlike(
    area: str,
    one: Mapping[str, Any],
    other: Mapping[str, Any],
    prefix: str = "",
    where: tuple[str | None, str | None] = (None, None),
) -> Iterator[Fact]:
    """The keys of two tables that do not have one value.

    >>> [str(fact) for fact in unlike("environment", {"python": "3.11"}, {"python": "3.12"})]
    ['python 3.11 → 3.12']
    """
    for key in dict.fromkeys([*one, *other]):
        if one.get(key) != other.get(key):
            yield Fact(area, f"{prefix}{key}", text_of(one.get(key)), text_of(other.get(key)), where)


def text_of(value: Any) -> str:
    """A value in few words.

    >>> text_of(0.1), text_of([0.9, 0.999]), text_of(None)
    ('0.1', '0.9, 0.999', '–')
    >>> text_of(0.05000000074505806)  # as float32 has it
    '0.05'
    """
    if value is None:
        return MISSING
    if isinstance(value, float):
        return f"{value:.7g}"
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    return str(value)
