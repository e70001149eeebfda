"""Tests of calls of a model."""

from stetho.inspect.call import Call


def test_a_call_gives_positional_and_named_arguments() -> None:
    assert Call((1, 2), {"c": 3}).of(lambda a, b, c: (a, b, c)) == (1, 2, 3)


def test_a_function_calls_the_model_as_it_likes() -> None:
    assert Call((1,), function=lambda model: model(5) * 2).of(lambda x: x + 1) == 12
