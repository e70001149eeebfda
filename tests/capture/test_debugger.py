"""The debugger begins in a frame of the program's own."""

import io
import json

from stetho.capture.debugger import open_debugger


def told(error: BaseException, *commands: str) -> str:
    out = io.StringIO()
    open_debugger(error, io.StringIO("\n".join([*commands, "q", ""])), out)
    return out.getvalue()


def test_the_variables_of_the_program_are_at_hand_and_the_library_is_below() -> None:
    try:
        mine = "{ not json"
        json.loads(mine)
    except ValueError as caught:
        error = caught
    said = told(error, "p mine", "down")
    assert "'{ not json'" in said
    assert said.index(__file__) < said.index("json/__init__.py")


def test_an_error_in_libraries_alone_is_shown_where_it_is() -> None:
    try:
        json.loads("{")
    except ValueError as caught:
        error = caught
    assert error.__traceback__ is not None
    error.__traceback__ = error.__traceback__.tb_next
    assert "decoder.py" in told(error)
