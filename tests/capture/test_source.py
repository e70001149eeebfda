"""Whose code is on the stack: the user's, a library's or ours."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import stetho
from stetho.capture import source
from stetho.capture.source import is_user_code, library_of, line_of, name_in_frame, user_frame, user_line


def here():
    return sys._getframe(1)


@pytest.mark.parametrize("library", [json.dumps, np.linalg.norm.__wrapped__, torch.nn.Linear.forward])
def test_libraries_are_not_the_users_code(library):
    assert not is_user_code(library.__code__)


@pytest.mark.parametrize(
    "file", ["/other/env/lib/python3.11/site-packages/kit/a.py", "/usr/lib/python3/dist-packages/kit.py"]
)
def test_packages_of_another_environment_are_not_the_users_code(file):
    code = compile("1", file, "eval")
    assert not is_user_code(code)
    assert library_of(code) == "kit"


def test_our_own_code_is_not_the_users():
    assert not is_user_code(stetho.watch.__code__)
    assert not is_user_code(line_of.__code__)


@pytest.mark.parametrize("file", ["<string>", "<frozen importlib._bootstrap>", "<__array_function__ internals>"])
def test_generated_code_is_not_the_users(file):
    assert not is_user_code(compile("1", file, "eval"))


@pytest.mark.parametrize(
    "file", ["train.py", "/home/me/train.py", "<stdin>", "<ipython-input-3-abc>", "/opt/venvs/train.py"]
)
def test_programs_and_notebook_cells_are(file):
    assert is_user_code(compile("1", file, "eval"))


def test_equal_code_in_two_files_is_told_apart():
    code = "def forward(self, x):\n    return x"
    assert is_user_code(compile(code, "/home/me/train.py", "exec"))
    assert not is_user_code(compile(code, torch.__file__, "exec"))


def test_a_project_beside_a_library_of_a_similar_name_is_the_users():
    ours = Path(stetho.__file__).parent
    assert is_user_code(compile("1", f"{ours}_experiments/train.py", "eval"))
    assert not is_user_code(compile("1", f"{ours}/anything.py", "eval"))


def test_the_innermost_frame_of_the_user_is_found_through_library_frames():
    frames = []

    class Recording(json.JSONEncoder):
        def default(self, _value):
            frames.append(sys._getframe().f_back)
            return 0

    json.dumps(object(), cls=Recording)
    found = user_frame(frames[0])
    assert found.f_code.co_filename == __file__
    assert found.f_code.co_name == "test_the_innermost_frame_of_the_user_is_found_through_library_frames"


def test_a_line_names_file_line_and_function():
    line = user_line()
    assert (line.file, line.function) == (__file__, "test_a_line_names_file_line_and_function")
    assert str(line) == f"{__file__}:{line.line}"
    assert Path(__file__).read_text().splitlines()[line.line - 1].strip() == "line = user_line()"


def test_without_a_frame_there_is_no_line():
    assert line_of(None) is None
    assert user_frame(None) is None


def test_without_user_code_on_the_stack_there_is_no_line(monkeypatch):
    monkeypatch.setattr(source, "_is_user_file", {})
    monkeypatch.setattr(source, "is_user_code", lambda _: False)
    assert user_line() is None


GLOBAL = object()


def test_an_object_is_called_what_the_program_calls_it():
    weight = object()
    assert name_in_frame(weight, here()) == "weight"
    assert name_in_frame(GLOBAL, here()) == "GLOBAL"


def test_an_object_that_the_program_does_not_name_has_no_name():
    found = name_in_frame(object(), here())
    assert found is None
    assert name_in_frame(GLOBAL, None) is None


def test_names_of_the_machinery_are_no_names():
    assert name_in_frame(__builtins__, here()) is None
