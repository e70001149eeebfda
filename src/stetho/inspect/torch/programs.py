"""The model that a program trains, with its first batch: the program is run until it calls the model."""

import sys
from typing import Any, NoReturn

from torch.nn import Module

from stetho.capture.launch import Program, ending_of, run_program
from stetho.capture.torch.models import unwrapped
from stetho.capture.torch.patches import Patches
from stetho.errors import UsageError
from stetho.inspect.call import Call


class ModelCalled(BaseException):
    """Ends a program where it first calls a model. No Exception: a program that catches those must not go on."""

    def __init__(self, model: Module, call: Call) -> None:
        super().__init__()
        self.model = model
        self.call = call


def first_call(program: Program) -> tuple[Module, Call]:
    """The first module with parameters that a program calls, and what it is called with."""
    program.check()
    patches = Patches()

    def make(original: Any) -> Any:
        def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
            if next(module.parameters(), None) is None:
                return original(module, *args, **kwargs)
            raise ModelCalled(unwrapped(module), Call(args, kwargs))

        return call

    before = (list(sys.argv), list(sys.orig_argv), list(sys.path), sys.excepthook)
    main = sys.modules.get("__main__")
    patches.replace(Module, "__call__", make)
    try:
        run_program(program)
    except ModelCalled as found:
        found.__traceback__ = None
        return found.model, found.call
    except (Exception, SystemExit) as error:
        _left_by(program, error)
    finally:
        patches.undo()
        sys.argv[:], sys.orig_argv[:], sys.excepthook = before[0], before[1], before[3]
        # The program's own folder stays: its model may import from there when it is called.
        sys.path[:] = [*before[2], *(folder for folder in sys.path if folder not in before[2])]
        if main is not None:
            sys.modules["__main__"] = main
    raise UsageError(f"{program.target}: came to its end and called no model with parameters; name one, as file.py:Net")


def _left_by(program: Program, error: BaseException) -> NoReturn:
    ending = ending_of(error)
    place = f" at {ending.where}" if ending.where else ""
    reason = ending.error or f"exit status {ending.code}"
    raise UsageError(f"{program.target}: ended before it called a model ({reason}{place})") from error
