"""Values out of documents that somebody else may have written."""

import math

from hypothesis import given
from hypothesis import strategies as st

from stetho.store import loose

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(JSON)
def test_anything_gives_the_wanted_kind_or_nothing(value: object) -> None:
    assert isinstance(loose.mapping(value), dict)
    assert all(isinstance(each, dict) for each in loose.mappings(value))
    assert loose.number(value) is None or isinstance(loose.number(value), float)
    assert loose.whole(value) is None or type(loose.whole(value)) is int
    line = loose.line(value)
    assert line is None or (line.isprintable() and line)


def test_a_number_too_large_for_a_float_is_infinite() -> None:
    assert loose.number(10**400) == math.inf
