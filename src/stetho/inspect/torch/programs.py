"""The models that a program trains, each with its first inputs: the program is run until it calls them."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

from torch.nn import Module
from torch.optim.optimizer import register_optimizer_step_post_hook

from stetho.capture.launch import Program, ending_of, run_program
from stetho.capture.source import user_line
from stetho.capture.torch.models.models import unwrapped
from stetho.capture.torch.patches import Patches
from stetho.errors import UsageError
from stetho.inspect.call import Call
from stetho.inspect.torch.model_names import models_in_sight

ALL = "all"
MOST_STEPS = 3
"""A program of which all models are wanted is left after so many steps: some, as averages, are not called in them."""


class Enough(BaseException):
    """Ends a program that has called what is wanted. No Exception: a program that catches those must not go on."""


@dataclass(frozen=True, slots=True)
class CalledModel:
    """A model of a program: the name of the variable that holds it, and its first call."""

    name: str
    model: Module
    call: Call


@dataclass(slots=True)
class Models:
    """What a program has called so far, and the names of all models that were in sight then."""

    wanted: str | None = None
    called: dict[int, CalledModel] = field(default_factory=dict)
    known: dict[int, str] = field(default_factory=dict)
    steps: int = 0

    def meet(self, module: Module, call: Call) -> None:
        """The program calls a model from outside of all models."""
        model = unwrapped(module)
        for each, name in models_in_sight(sys._getframe(2)):
            self.known.setdefault(id(each), name)
        self.known.setdefault(id(model), type(model).__name__)
        self.called.setdefault(id(model), CalledModel(self.known[id(model)], model, call))
        if self._is_enough(model):
            raise Enough

    def _is_enough(self, model: Module) -> bool:
        if self.wanted == ALL:
            return len(self.called) == len(self.known)
        return self.wanted is None or self.wanted in (self.known[id(model)], type(model).__name__)

    def stepped(self, *_: Any) -> None:
        """An optimizer has done a step."""
        self.steps += 1
        if self.wanted == ALL and self.steps == MOST_STEPS:
            raise Enough

    def chosen(self) -> list[CalledModel]:
        """What is wanted of them; nothing where the wanted one was not called."""
        if self.wanted == ALL:
            return list(self.called.values())
        fitting = [each for each in self.called.values() if self.wanted in (None, each.name, type(each.model).__name__)]
        return fitting[:1]


def called_models(program: Program, wanted: str | None = None) -> tuple[list[CalledModel], list[str]]:
    """The first model with parameters that a program calls, or that of a name, or `all`; and the names in sight."""
    program.check()
    models = Models(wanted)
    try:
        _run(program, models)
    except Enough as enough:
        enough.__traceback__ = None
    except (Exception, SystemExit) as error:
        if not models.chosen():
            _left_by(program, models, error)
    chosen = models.chosen()
    if not chosen:
        _lacks(program, models)
    return chosen, list(models.known.values())


def _run(program: Program, models: Models) -> None:
    patches = Patches()
    before = (list(sys.argv), list(sys.orig_argv), list(sys.path), sys.excepthook)
    main = sys.modules.get("__main__")
    patches.replace(Module, "__call__", lambda original: _watched(original, models))
    handle = register_optimizer_step_post_hook(models.stepped)
    try:
        run_program(program)
    finally:
        handle.remove()
        patches.undo()
        sys.argv[:], sys.orig_argv[:], sys.excepthook = before[0], before[1], before[3]
        # The program's own folder stays: its model may import from there when it is called.
        sys.path[:] = [*before[2], *(folder for folder in sys.path if folder not in before[2])]
        if main is not None:
            sys.modules["__main__"] = main


def _watched(original: Callable[..., Any], models: Models) -> Callable[..., Any]:
    depth = 0

    def call(module: Module, /, *args: Any, **kwargs: Any) -> Any:
        nonlocal depth
        if depth == 0 and next(module.parameters(), None) is not None:
            line = user_line(depth=2)
            models.meet(module, Call(args, kwargs, line=str(line) if line else None))
        depth += 1
        try:
            return original(module, *args, **kwargs)
        finally:
            depth -= 1

    return call


def _left_by(program: Program, models: Models, error: BaseException) -> NoReturn:
    if models.called:
        _lacks(program, models)
    ending = ending_of(error)
    place = f" at {ending.where}" if ending.where else ""
    # Of an error in the program's text, python draws the line and a mark below it.
    lines = (ending.error or f"exit status {ending.code}").splitlines()
    reason = f"{lines[-1]} at {error.filename}:{error.lineno}" if isinstance(error, SyntaxError) else "\n".join(lines)
    raise UsageError(f"{program.target}: ended before it called a model ({reason}{place})") from error


def _lacks(program: Program, models: Models) -> NoReturn:
    if not models.called:
        raise UsageError(
            f"{program.target}: came to its end and called no model with parameters; name one, as file.py:Net"
        )
    names = ", ".join(f"{each.name} ({type(each.model).__name__})" for each in models.called.values())
    raise UsageError(f"{program.target}: calls no model named `{models.wanted}`; it calls {names}")
