"""Where a variable came from, followed through calls."""

import textwrap
from pathlib import Path

import pytest

from stetho.capture.frames import places_of
from stetho.capture.origins import origin


def made(code: str, name: str, folder: Path) -> str | None:
    file = folder / "program.py"
    text = textwrap.dedent(code)
    file.write_text(text)
    try:
        exec(compile(text, str(file), "exec"), {})
    except ZeroDivisionError as error:
        places = places_of(error.__traceback__)[1:]
        found = origin(places, len(places) - 1, name)
        return None if found is None else str(found).removeprefix(f"{folder}/program.py:")
    raise AssertionError


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1\nx = x + 1\nx / 0\nx = 5\n", "2: x = x + 1"),
        ("for x, y in [(1, 2)]:\n    x / 0\n", "1: for (x, y) in [(1, 2)]"),
        ("def f(x):\n    return x / 0\na = 3\nf(a)\n", "3: a = 3"),
        ("def f(x):\n    return x / 0\nf(2 + 3)\n", "3: 2 + 3"),
        ("def f(*, x):\n    return x / 0\nf(x=2 + 3)\n", "3: 2 + 3"),
        ("def g(x):\n    return x / 0\ndef f(x):\n    return g(x)\nb = 7\nf(b)\n", "5: b = 7"),
        ("class A:\n    def f(self, x):\n        return x / 0\nb = 7\nA().f(b)\n", "4: b = 7"),
        ("def f(x):\n    return x / 0\nargs = [1]\nf(*args)\n", None),
        ("x: int = 3\nif True:\n    x += 1\nx / 0\n", "3: x += 1"),
    ],
)
def test_finds_the_line_that_made_it(code: str, expected: str | None, tmp_path: Path) -> None:
    assert made(code, "x", tmp_path) == expected


def test_a_name_that_nobody_made_has_no_origin(tmp_path: Path) -> None:
    assert made("1 / 0\n", "x", tmp_path) is None


CHAIN = """
def inner(*args):
    return forward(*args)
def forward(x):
    for each in [{layers}]:
        x = each(x)
def good(x):
    return x + 1
def bad(x):
    return x / 0
inner(2 + 3)
"""


@pytest.mark.parametrize(("layers", "expected"), [("bad", "11: 2 + 3"), ("good, bad", None)])
def test_what_a_chain_has_made_is_not_what_it_was_given(
    layers: str, expected: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stetho.capture.origins.last_binding", lambda *_: None)
    assert made(CHAIN.format(layers=layers), "x", tmp_path) == expected
