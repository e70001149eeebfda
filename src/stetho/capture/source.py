"""Where in the user's own code something happens: the innermost frame outside libraries and outside stetho."""

import os
import re
import site
import sys
import sysconfig
from pathlib import Path
from types import CodeType, FrameType

from stetho.records import SourceLine


def _library_folders() -> tuple[str, ...]:
    # Not the whole of sys.prefix: a project may keep its virtual environment, or itself, anywhere.
    folders = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(site.getsitepackages())
    folders.add(site.getusersitepackages())
    folders.add(str(Path(__file__).resolve().parent.parent))
    return tuple(folder.rstrip("/\\") + ("\\" if "\\" in folder else "/") for folder in folders if folder)


_LIBRARIES = _library_folders()
_PACKAGES = re.compile(r"^.*[\\/](?:site|dist)-packages[\\/]")
"""Folders of packages of another environment, which PYTHONPATH or a .pth file leads to."""
_OWN = str(Path(__file__).resolve().parent.parent) + os.sep
_NO_FILES = ("<frozen", "<string>", "<__array_function__")
_is_user_file: dict[str, bool] = {}


def is_user_code(code: CodeType) -> bool:
    """Whether a code object belongs to the user's program.

    >>> is_user_code(Path.exists.__code__)
    False
    """
    # By file: code objects of two files are equal when they do the same.
    known = _is_user_file.get(code.co_filename)
    return known if known is not None else is_user_file(code.co_filename)


def is_user_file(file: str) -> bool:
    """Whether a file is one of the user's program.

    >>> is_user_file(os.__file__)
    False
    """
    known = _is_user_file.get(file)
    if known is None:
        known = _is_user_file[file] = not (file.startswith(_NO_FILES + _LIBRARIES) or _PACKAGES.match(file))
    return known


def is_own_code(code: CodeType) -> bool:
    """Whether a code object belongs to stetho itself.

    >>> is_own_code(is_own_code.__code__)
    True
    """
    return code.co_filename.startswith(_OWN)


def library_of(code: CodeType) -> str:
    """The package that a code object of a library belongs to.

    >>> import json
    >>> library_of(json.loads.__code__)
    'json'
    """
    file = code.co_filename
    packages = _PACKAGES.match(file)
    folder = (
        packages[0] if packages else max((each for each in _LIBRARIES if file.startswith(each)), key=len, default="")
    )
    first = file.removeprefix(folder).replace("\\", "/").partition("/")[0]
    return first.removesuffix(".py") if folder else "python"


def user_frame(frame: FrameType | None) -> FrameType | None:
    """The innermost frame of the user's program at or above `frame`."""
    while frame is not None:
        # What `is_user_code` knows, asked without a call: every step passes here.
        known = _is_user_file.get(frame.f_code.co_filename)
        if known or (known is None and is_user_code(frame.f_code)):
            break
        frame = frame.f_back
    return frame


def user_line(depth: int = 1) -> SourceLine | None:
    """The user's line that led to the caller; None when only library code is on the stack."""
    return line_of(user_frame(sys._getframe(depth)))


def line_of(frame: FrameType | None) -> SourceLine | None:
    """File, line and function of a frame."""
    if frame is None:
        return None
    return SourceLine(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def name_in_frame(value: object, frame: FrameType | None) -> str | None:
    """The name under which a frame of the user's program knows an object."""
    if frame is None:
        return None
    for scope in (frame.f_locals, frame.f_globals):
        for name, bound in scope.items():
            if bound is value and not name.startswith("__"):
                return name
    return None
