"""Tests of garbage that nobody looks for."""

import gc

import pytest

from stetho.inspect.uncollected import uncollected


def test_an_error_turns_the_search_on_again() -> None:
    with pytest.raises(ValueError, match="no"), uncollected():
        raise ValueError("no")
    assert gc.isenabled()


def test_who_has_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with uncollected(), uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
