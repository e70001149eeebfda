"""Runs a program the way python itself would, and tells once how it ended.

The program gets its own `sys.argv`, `__main__`, `sys.path[0]` and exit status. Standard library only: nothing here may
load what the program wants to configure before it loads it.
"""

import builtins
import importlib.machinery
import os
import runpy
import sys
import traceback
import zipfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, ModuleType, TracebackType

from stetho.capture.source import is_user_code
from stetho.capture.termination import Termination
from stetho.capture.unnoticed import unnoticed_file
from stetho.errors import UsageError
from stetho.records import Ending, StepsReached

ExceptHook = Callable[[type[BaseException], BaseException, TracebackType | None], object]
OnError = Callable[[BaseException, bool], None]
"""Told of an unhandled error once it is printed, and whether python itself printed it; must not raise."""
_OWN = (str(Path(__file__).parent) + os.sep, unnoticed_file(__file__).removesuffix(os.path.basename(__file__)))


@dataclass(frozen=True, slots=True)
class Program:
    """What is to be run: a script, a folder or archive with a `__main__.py`, or a module.

    >>> Program.from_words(["-m", "package.train", "--lr", "0.1"]).name
    'train'
    >>> Program("examples/train.py", ("--lr", "0.1")).words
    ('examples/train.py', '--lr', '0.1')
    """

    target: str
    arguments: tuple[str, ...] = ()
    is_module: bool = False

    @classmethod
    def from_words(cls, words: Sequence[str]) -> "Program":
        """The program of a command line: `script.py [arguments…]` or `-m module [arguments…]`."""
        is_module = bool(words) and words[0] == "-m"
        target, *arguments = words[is_module:] or [""]
        if not target:
            raise UsageError("no program given; end the command with: train.py [arguments…] or -m module [arguments…]")
        return cls(target, tuple(arguments), is_module)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that start this program after `python`."""
        return (*(["-m"] if self.is_module else []), self.target, *self.arguments)

    @property
    def name(self) -> str:
        """A short name for the program."""
        if self.is_module:
            return self.target.rpartition(".")[2]
        return Path(self.target).resolve().stem

    @property
    def is_container(self) -> bool:
        """Whether the target is a folder or archive whose `__main__.py` is to be run."""
        return not self.is_module and (os.path.isdir(self.target) or zipfile.is_zipfile(self.target))

    def check(self) -> None:
        """Complain about a program that is not there, before anything is started for it."""
        if self.is_module:
            top = self.target.partition(".")[0]
            # No import of the package here: its code belongs to the program, which has not begun.
            finders = (importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter)
            is_found = any(finder.find_spec(top) for finder in finders)
            if not is_found and not importlib.machinery.PathFinder.find_spec(top, [os.getcwd(), *sys.path[1:]]):
                raise UsageError(f"no module named `{top}` here or among the installed packages: {self.target}")
        elif os.path.isdir(self.target):
            if not os.path.isfile(os.path.join(self.target, "__main__.py")):
                raise UsageError(f"a folder is run through its __main__.py, and there is none in: {self.target}")
        elif not os.path.isfile(self.target):
            raise UsageError(f"no such program; give the path of a script or -m module: {self.target}")


class ProgramTraceback:
    """Stands in for `sys.excepthook` while the program's own error passes through stetho's frames.

    The interpreter itself then prints the error, sets the exit status, and dies of SIGINT after Ctrl-C.
    """

    def __init__(self, hook: ExceptHook, tell: Callable[[Ending], None], on_error: OnError | None = None) -> None:
        self.hook = hook
        self.tell = tell
        self.on_error = on_error

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        sys.excepthook = self.hook
        own = sys.last_traceback = error.__traceback__ = programs_part(trace)
        try:
            self.hook(kind, error, own)
            if self.on_error and not isinstance(error, KeyboardInterrupt):
                self.on_error(error, self.hook is sys.__excepthook__)
        finally:
            self.tell(ending_of(error))
            if kind is KeyboardInterrupt:
                _die_of_the_interrupt()


def _die_of_the_interrupt() -> None:
    """Have the interpreter end as after Ctrl-C.

    It forgets that it was interrupted as soon as any code is run from text, which every new dataclass does; code from
    text that is interrupted makes it remember.
    """
    with suppress(KeyboardInterrupt):
        exec("raise KeyboardInterrupt")


def programs_part(trace: TracebackType | None) -> TracebackType | None:
    """The part of a traceback below the frame that started the program, without frames of ours."""
    part = trace
    while part is not None and part.tb_frame.f_code is not _execute.__code__:
        part = part.tb_next
    return without_ours(part.tb_next) if part else None


def without_ours(trace: TracebackType | None) -> TracebackType | None:
    """A traceback without what stands between the program and the functions that we follow."""
    kept, part = [], trace
    while part is not None:
        if not part.tb_frame.f_code.co_filename.startswith(_OWN):
            kept.append(part)
        part = part.tb_next
    for one, following in zip(kept, [*kept[1:], None], strict=False):
        one.tb_next = following
    return kept[0] if kept else trace


def run_program(
    program: Program,
    on_ending: Callable[[Ending], None] | None = None,
    on_error: OnError | None = None,
) -> None:
    """Run a program to its end; its exit or error is raised on, its ending told once, in the process that began it."""
    began_in = os.getpid()

    def tell(ending: Ending) -> None:
        termination.forget()
        if on_ending and os.getpid() == began_in:
            on_ending(ending)

    termination = Termination(tell)
    if on_ending:
        termination.watch()
    try:
        _enter(program)
        _execute(program)
    except SystemExit as error:
        tell(ending_of(error))
        raise
    except BaseException:
        # A forked child's error is its own affair.
        sys.excepthook = ProgramTraceback(sys.excepthook, tell, on_error if os.getpid() == began_in else None)
        raise
    tell(Ending("finished"))


def ending_of(error: BaseException) -> Ending:
    """How a program ended that was left by this error.

    >>> ending_of(SystemExit(3))
    Ending(kind='exit', code=3, error=None, where=None)
    """
    if isinstance(error, StepsReached):
        return Ending("steps reached", 0)
    if isinstance(error, SystemExit):
        if error.code is None or isinstance(error.code, int):
            return Ending("exit", (error.code or 0) & 0xFF)
        return Ending("exit", 1, str(error.code))
    where = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        if is_user_code(frame.f_code):
            where = f"{frame.f_code.co_filename}:{line}"
    if isinstance(error, KeyboardInterrupt):
        return Ending("interrupted", 130, "KeyboardInterrupt", where)
    return Ending("exception", 1, "".join(traceback.format_exception_only(error)).strip(), where)


def _enter(program: Program) -> None:
    """Make the interpreter look as it does when python starts this program."""
    sys.orig_argv[1:] = program.words
    sys.argv[:] = ["-m" if program.is_module else program.target, *program.arguments]
    if program.is_container:
        # Put first even with a safe path: it is where the program itself is found.
        sys.path[: 0 if sys.flags.safe_path else 1] = [os.path.abspath(program.target)]
    elif not sys.flags.safe_path:
        sys.path[0] = os.getcwd() if program.is_module else os.path.dirname(os.path.realpath(program.target))
    main = ModuleType("__main__")
    main.__dict__.update(__annotations__={}, __builtins__=builtins)
    _replaced.append(sys.modules["__main__"])
    sys.modules["__main__"] = main


_replaced: list[ModuleType] = []
"""What was run before a program: python writes to the variables of its script once more when an error has ended it."""


def is_of_launcher(frame: FrameType) -> bool:
    """Whether code of the script that began the program runs there: that is not the program's.

    >>> is_of_launcher(sys._getframe())
    False
    """
    return any(frame.f_globals is vars(main) for main in _replaced)


def _execute(program: Program) -> None:
    if program.is_module or program.is_container:
        runpy._run_module_as_main(  # type: ignore[attr-defined]  # what `python -m` itself calls
            program.target if program.is_module else "__main__", program.is_module
        )
        return
    file = os.path.join(os.getcwd(), program.target)
    main = sys.modules["__main__"].__dict__
    main.update(__file__=file, __cached__=None, __loader__=importlib.machinery.SourceFileLoader("__main__", file))
    exec(compile(Path(file).read_bytes(), file, "exec", dont_inherit=True), main)
