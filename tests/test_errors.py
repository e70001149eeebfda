"""The error tree: one base to catch, one exit status, and a message with the next move."""

import traceback

import pytest

from stetho import errors

TREE = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, errors.StethoError)]


@pytest.mark.parametrize("error", TREE)
def test_every_error_is_drawn_in_the_tree(error: type[errors.StethoError]) -> None:
    assert error.__name__ in (errors.__doc__ or "")


@pytest.mark.parametrize("error", TREE)
def test_every_error_maps_to_exit_status_2(error: type[errors.StethoError]) -> None:
    assert error.exit_status == 2


def test_a_missing_package_names_the_command_that_installs_it() -> None:
    error = errors.MissingPackage("pandas", "reading a table as a frame", "pandas")
    assert "`pandas`" in str(error)
    assert "pip install 'stetho[pandas]'" in str(error)


@pytest.mark.parametrize(
    ("raised", "line"),
    [
        (ValueError("short"), "ValueError: short"),
        (NotImplementedError("long.\n\nCPU: registered\nCUDA: registered"), "NotImplementedError: long."),
        (KeyError(), "KeyError"),
    ],
)
def test_the_line_of_an_error_is_the_one_that_names_it(raised: Exception, line: str) -> None:
    try:
        raise raised
    except Exception:
        assert errors.error_line(traceback.format_exc()) == line
    assert errors.error_line("") == ""


def test_a_message_without_end_is_cut() -> None:
    line = errors.error_line("NotImplementedError: " + "AutogradCPU, " * 200)
    assert len(line) == errors.LONGEST_LINE
    assert line.endswith("…")
