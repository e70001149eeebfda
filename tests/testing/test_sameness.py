"""A model is held to a reference."""

import pytest

from stetho.testing import assert_same_as
from tests.comparing.models import pairs


def test_a_right_implementation_passes() -> None:
    assert_same_as(*pairs.lstm(), (2, 4, 5))


def test_a_wrong_one_fails_with_the_place() -> None:
    with pytest.raises(AssertionError, match="the second does tanh to what the first does sigmoid to"):
        assert_same_as(*pairs.lstm("gates"), (2, 4, 5))
