"""The loader that a program trains on: the program is run until it begins to step through one."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from torch.utils.data import DataLoader

from stetho.capture.launch import Program, ending_of, run_program
from stetho.capture.source import name_in_frame, user_frame
from stetho.capture.torch.patches import Patches
from stetho.errors import UsageError
from stetho.inspect.target import load_object


class LoaderBegun(BaseException):
    """Ends a program where it begins to use a loader. No Exception: a program that catches those must not go on."""

    def __init__(self, found: Any, name: str) -> None:
        super().__init__()
        self.found = found
        self.name = name


def first_loader(program: Program) -> tuple[DataLoader[Any], str]:
    """The first loader that a program steps through, and its name there."""
    program.check()

    def stop(loader: Any, frame: FrameType | None) -> None:
        name = name_in_frame(loader, user_frame(frame))
        raise LoaderBegun(loader, f"{program.target}:{name or type(loader).__name__}")

    before = list(sys.argv), list(sys.orig_argv), list(sys.path), sys.excepthook, sys.modules.get("__main__")
    try:
        with _at_loaders(stop):
            run_program(program)
    except LoaderBegun as begun:
        begun.__traceback__ = None
        return begun.found, begun.name
    except (Exception, SystemExit) as error:
        _left_by(program, error)
    finally:
        sys.argv[:], sys.orig_argv[:], sys.excepthook = before[0], before[1], before[3]
        # The program's own folder stays: its data set may import from there when it is asked for a sample.
        sys.path[:] = [*before[2], *(folder for folder in sys.path if folder not in before[2])]
        if before[4] is not None:
            sys.modules["__main__"] = before[4]
    raise UsageError(f"{program.target}: came to its end and used no DataLoader; name one, as file.py:loader")


def load_without_training(text: str) -> Any:
    """The object at `file.py:name`; a file that trains while it is imported is left where it begins to."""
    place, _, name = text.partition("(")[0].rpartition(":")
    file = str(Path(place).resolve())

    def stop(_loader: Any, frame: FrameType | None) -> None:
        while frame is not None:
            is_import = frame.f_code.co_name == "<module>" and frame.f_code.co_filename == file
            if is_import and name in frame.f_globals and "(" not in text:
                raise LoaderBegun(frame.f_globals[name], text)
            frame = frame.f_back

    try:
        with _at_loaders(stop):
            return load_object(text)
    except LoaderBegun as begun:
        begun.__traceback__ = None
        # Half a module must not be taken for the whole by whoever imports it next.
        for key in [key for key, each in sys.modules.items() if getattr(each, "__file__", None) == file]:
            del sys.modules[key]
        return begun.found


@contextlib.contextmanager
def _at_loaders(act: Any) -> Iterator[None]:
    """Call `act` with a loader and the frame that begins to step through it."""
    patches = Patches()

    def make(original: Any) -> Any:
        def begin(loader: DataLoader[Any]) -> Any:
            act(loader, sys._getframe(1))
            return original(loader)

        return begin

    patches.replace(DataLoader, "__iter__", make)
    try:
        yield
    finally:
        patches.undo()


def _left_by(program: Program, error: BaseException) -> NoReturn:
    ending = ending_of(error)
    place = f" at {ending.where}" if ending.where else ""
    reason = ending.error or f"exit status {ending.code}"
    raise UsageError(f"{program.target}: ended before it used a DataLoader ({reason}{place})") from error
