"""From what a person types to a live object: `module:name`, `file.py:name`, a program, a run, a saved module."""

import ast
import contextlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stetho.capture.launch import Program
from stetho.config import unknown_name
from stetho.errors import RunError, UsageError, kind_of
from stetho.inspect.call import Call

if TYPE_CHECKING:
    from stetho.store.reader import Run

FORMS = "give module:callable, file.py:callable, a program (train.py), a recorded run, or a saved module (model.pt)"
SAVED = (".pt", ".pth", ".pt2")


@dataclass(frozen=True, slots=True)
class Target:
    """A live model, the text that named it, and the call that its program makes, where that is known."""

    model: Any
    name: str
    call: Call | None = None
    variable: str = ""
    """What its program calls it, where that has several models."""
    others: tuple[str, ...] = ()
    """The names of all models of its program, where there are several."""


def load_target(text: str, *, unsafe: bool = False) -> Target:
    """The model that a text stands for; with `unsafe`, a pickled one too, which may run any code.

    >>> load_target("torch.nn:Linear(2, 3)").model
    Linear(in_features=2, out_features=3, bias=True)
    """
    return load_targets(text, unsafe=unsafe)[0]


def load_targets(text: str, *, unsafe: bool = False, wanted: str | None = None) -> list[Target]:
    """The model that a text stands for; of a program or a run with several, the `wanted` one, or `all`."""
    _, colon, name = _split(text)
    is_file = Path(text).is_file()
    if not colon and text.endswith(".py") and is_file:
        return _of_program(Program(text), wanted)
    if not colon and not is_file:
        return _of_run(text, wanted)
    if wanted is not None:
        raise UsageError(f"`--name` (={wanted}) chooses among the models of a program or a run; `{text}` is one model")
    if colon and name:
        return [Target(as_model(load_object(text), text), text)]
    return [_saved(Path(text), unsafe=unsafe)]


def load_object(text: str, *, is_called: bool = True) -> Any:
    """The object at `module:name` or `file.py:name`; functions and classes are called, as in `name` or `name(3, k=4)`.

    Without `is_called`, a name alone gives the function itself.

    >>> load_object("math:pi"), load_object("math:floor(2.5)"), load_object("math:floor", is_called=False)
    (3.141592653589793, 2, <built-in function floor>)
    """
    place, _, expression = _split(text)
    if not expression:
        raise UsageError(f"`{text}` names no object; give module:name or file.py:name")
    name, args, kwargs = _parsed(expression, text)
    with _program_words(place):
        found = _imported(place)
        for part in name.split("."):
            if not hasattr(found, part):
                known = [each for each in vars(found) if not each.startswith("_")] if hasattr(found, "__dict__") else []
                raise UsageError(f"{place}: {unknown_name('name', part, known)}")
            found = getattr(found, part)
        is_made = args or kwargs or (is_called and (isinstance(found, type) or _is_function(found)))
        return _called(found, args or [], kwargs or {}, text) if is_made else found


def as_model(found: Any, text: str) -> Any:
    """The model itself, or the first in a tuple that a function gave."""
    from stetho.inspect.torch.models import is_model

    for each in found if isinstance(found, tuple) else (found,):
        if is_model(each):
            return each
    raise UsageError(f"`{text}` is {kind_of(found)}, not a module; name a module, its class, or a function")


def _split(text: str) -> tuple[str, str, str]:
    """Place, colon and name; the colon of a drive or inside of brackets is none."""
    head, bracket, tail = text.partition("(")
    place, colon, name = head.rpartition(":")
    return (place, colon, name + bracket + tail) if colon and len(place) > 1 else (text, "", "")


def _parsed(expression: str, text: str) -> tuple[str, list[Any], dict[str, Any]]:
    try:
        node = ast.parse(expression, mode="eval").body
        call = node if isinstance(node, ast.Call) else None
        args = [ast.literal_eval(each) for each in call.args] if call else []
        kwargs = {str(each.arg): ast.literal_eval(each.value) for each in call.keywords} if call else {}
        return ast.unparse(call.func if call else node), args, kwargs
    except (SyntaxError, ValueError):
        raise UsageError(
            f"`{text}`: after the colon stands a name, or a call with plain values as Net(10, k=3)"
        ) from None


def _imported(place: str) -> Any:
    file = Path(place)
    if place.endswith(".py") and not file.is_file():
        raise UsageError(f"no such file: {place}; {FORMS}")
    try:
        if not file.is_file():
            return importlib.import_module(place)
        already = sys.modules.get(file.stem)
        if already is not None and getattr(already, "__file__", None) == str(file.resolve()):
            return already  # two names out of one file: its code runs once
        name = file.stem if file.stem.isidentifier() and file.stem not in sys.modules else f"_stetho_{abs(hash(place))}"
        spec = importlib.util.spec_from_file_location(name, file.resolve())
        if spec is None or spec.loader is None:
            raise UsageError(f"{place} is no Python file; {FORMS}")
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and place.split(".")[0] == (error.name or ""):
            raise UsageError(f"no module named `{place}` here or among the installed packages; {FORMS}") from None
        raise _failed(f"{place} cannot be imported", error) from error


def _called(function: Any, args: list[Any], kwargs: dict[str, Any], text: str) -> Any:
    try:
        return function(*args, **kwargs)
    except (Exception, SystemExit) as error:
        hint = "; give its arguments, as in file.py:Net(10, width=64)" if isinstance(error, TypeError) else ""
        raise _failed(f"`{text}` cannot be made{hint}", error) from error


def _failed(what: str, error: BaseException) -> UsageError:
    from stetho.capture.launch import ending_of

    where = ending_of(error).where
    place = f" at {where}" if where else ""
    return UsageError(f"{what}: {type(error).__name__}: {error or 'no message'}{place}")


def _is_function(found: Any) -> bool:
    return type(found).__name__ in ("function", "method", "builtin_function_or_method", "partial")


@contextlib.contextmanager
def _program_words(place: str) -> Iterator[None]:
    """Let the file find its neighbours, read no words of ours, and print nothing among ours."""
    folder = str(Path(place).resolve().parent) if Path(place).is_file() else str(Path.cwd())
    path, argv = list(sys.path), list(sys.argv)
    sys.path.insert(0, folder)
    sys.argv[:] = [place]
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        # The folder stays: what is imported on the first call of a model is looked for later.
        sys.argv[:], sys.path[:] = argv, [*path, *([folder] if folder not in path else [])]


def _of_program(program: Program, wanted: str | None) -> list[Target]:
    from stetho.inspect.torch.programs import called_models

    with contextlib.redirect_stdout(sys.stderr):
        called, known = called_models(program, wanted)
    text, others = " ".join(program.words), tuple(known) if len(known) > 1 else ()
    return [Target(each.model, text, each.call, each.name if others else "", others) for each in called]


def _of_run(text: str, wanted: str | None) -> list[Target]:
    from stetho.store.reader import open_run

    try:
        run = open_run(text)
    except RunError as error:
        if text.endswith((".py", *SAVED)):
            raise UsageError(f"no such file: {text}; {FORMS}") from None
        raise UsageError(f"`{text}` is no model: {error}; {FORMS}") from None
    program, folder = program_of(run)
    with contextlib.chdir(folder):
        program.check()
        return _of_program(program, wanted)


def program_of(run: "Run") -> tuple[Program, Path]:
    """The program that a recorded run came from, and the folder in which it ran."""
    text, info = run.path, run.info
    words, folder = [str(word) for word in info.get("command") or []], Path(str(info.get("cwd", ".")))
    if not words or words[0] == "-c":
        raise UsageError(f"{text}: this run was not started from a program; give what you mean, as in file.py:name")
    if not folder.is_dir():
        raise UsageError(f"{text}: the folder that it ran in is gone: {folder}; give what you mean, as in file.py:name")
    return Program.from_words(words), folder


def _saved(file: Path, *, unsafe: bool) -> Target:
    from stetho.inspect.torch.saved import load_saved

    return Target(load_saved(file, unsafe=unsafe), str(file))
