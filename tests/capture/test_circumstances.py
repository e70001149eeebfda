"""The mapping that lacks a key, the line that a stack repeats, the lines behind a value."""

from collections import UserDict
from pathlib import Path

from stetho.capture.circumstances import held, ingredients, repeated
from stetho.capture.frames import Place, places_of


def places(tmp_path: Path, code: str, **known: object) -> list[Place]:
    """The frames of a small program at its error."""
    file = tmp_path / "program.py"
    file.write_text(code)
    try:
        exec(compile(code, str(file), "exec"), {**known})
    except Exception as error:
        return places_of(error.__traceback__.tb_next if error.__traceback__ is not None else None)
    raise AssertionError("the program did not fail")


def test_a_mapping_is_told_with_its_names(tmp_path: Path) -> None:
    assert held(places(tmp_path, "batch = {'x': 1, 2: 3}\nbatch['y']\n")) == ("batch", ("x",))


def test_a_batch_that_keeps_its_mapping_in_an_attribute_is_one(tmp_path: Path) -> None:
    batch: UserDict[str, int] = UserDict({"input_ids": 1})
    assert held(places(tmp_path, "batch['inputs']\n", batch=batch)) == ("batch", ("input_ids",))


def test_what_is_no_mapping_has_no_keys(tmp_path: Path) -> None:
    class Odd:
        def __getitem__(self, key: str) -> None:
            raise KeyError(key)

    assert held(places(tmp_path, "odd['x']\n", odd=Odd())) is None
    assert held([]) is None


def test_the_line_of_an_endless_stack_is_found(tmp_path: Path) -> None:
    found = repeated(places(tmp_path, "def f():\n    f()\nf()\n"))
    assert found is not None
    assert (found.where, found.code) == (f"{tmp_path}/program.py:2", "f()")


def test_a_short_stack_repeats_nothing(tmp_path: Path) -> None:
    assert repeated(places(tmp_path, "1 / 0\n")) is None


def test_lines_behind_a_value_are_followed(tmp_path: Path) -> None:
    def fail(_value: object) -> None:
        raise ValueError

    found = places(tmp_path, "a = 1\nb = a + 1\nc = b * 2\nd = 7\nfail(c)\n", fail=fail)
    own = max(number for number, place in enumerate(found) if place.file.endswith("program.py"))
    lines = [made.code for made in ingredients(found, own, found[own].node())]
    assert lines == ["c = b * 2", "b = a + 1", "a = 1"]
