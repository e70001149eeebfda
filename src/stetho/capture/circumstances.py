"""What surrounds some errors: the mapping that lacks a key, the line that a stack repeats, the lines behind a value."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from stetho.capture.expressions import operands_of, plain_attribute, value_of
from stetho.capture.frames import Place, text_of
from stetho.capture.origins import last_binding
from stetho.explaining.scene import Made

MOST_INGREDIENTS = 8
LEAST_REPEATED = 20


def held(places: Sequence[Place]) -> tuple[str, tuple[str, ...]] | None:
    """The mapping that the user's line asks for a key, as it is written there, and the names that it holds."""
    place = next((each for each in reversed(places) if each.is_user), None)
    node = place.node() if place is not None else None
    if place is None or not isinstance(node, ast.Subscript):
        return None
    mapping = value_of(node.value, place)
    # Batches of tokenizers keep their mapping in an attribute.
    mapping = mapping if isinstance(mapping, dict) else plain_attribute(mapping, "data")
    if not isinstance(mapping, dict):
        return None
    return text_of(node.value), tuple(key for key in dict.keys(mapping) if isinstance(key, str))


def repeated(places: Sequence[Place]) -> Made | None:
    """The user's line that most frames of an endless stack are at."""
    counts = Counter((place.file, place.line) for place in places if place.is_user)
    (file, line), times = next(iter(counts.most_common(1)), (("", 0), 0))
    if times < LEAST_REPEATED:
        return None
    code = next(place.code for place in places if (place.file, place.line) == (file, line))
    return Made(f"{file}:{line}", code)


def ingredients(places: Sequence[Place], own: int, node: ast.AST | None) -> Iterator[Made]:
    """The lines that made what the first operand of an expression was made of, and what these were made of."""
    place = places[own]
    first = next((each for each in operands_of(node) if isinstance(each, ast.Name)), None) if node is not None else None
    names, seen = [first.id] if first is not None else [], set[str]()
    while names and len(seen) < MOST_INGREDIENTS:
        name = names.pop(0)
        statement = last_binding(place, name) if name not in seen else None
        seen.add(name)
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign) and statement.value is not None:
            yield Made(f"{place.file}:{statement.lineno}", text_of(statement))
            names += [each.id for each in ast.walk(statement.value) if isinstance(each, ast.Name)]
