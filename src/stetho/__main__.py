"""The command line: finds the command, and turns errors into one line and an exit status."""

import os
import signal
import sys
from collections.abc import Sequence

from stetho.commands import COMMANDS, load
from stetho.config import unknown_name
from stetho.errors import StethoError, UsageError

STATUS_AFTER_SIGPIPE = 128 + 13


def main(words: Sequence[str] | None = None) -> int:
    """Run `stetho` with these words, or with those of the command line."""
    try:
        return _dispatch(list(sys.argv[1:] if words is None else words))
    except (StethoError, BrokenPipeError, KeyboardInterrupt) as error:
        if _belongs_to_the_program():
            raise
        return _status_after(error)


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(overview())
        return 0
    if words[0] == "--version":
        from importlib.metadata import version

        print(f"stetho {version('stetho')}")
        return 0
    if words[0] not in COMMANDS:
        kind = "option" if words[0].startswith("-") else "command"
        known = ("--help", "--version") if kind == "option" else COMMANDS
        raise UsageError(unknown_name(kind, words[0], known))
    from stetho.commands.parser import parse

    command = load(words[0])
    return command.run(parse(command, words[1:]))


def overview() -> str:
    """The text of `stetho --help`."""
    commands = "\n".join(f"  stetho {name:<11}{load(name).HELP}" for name in COMMANDS)
    return (
        "A stethoscope for neural networks: watches a training program and records it.\n\n"
        f"{commands}\n\n"
        "`stetho COMMAND --help` tells more about a command.\n"
        "Begin with: stetho run train.py"
    )


def _belongs_to_the_program() -> bool:
    from stetho.capture.launch import ProgramTraceback

    return isinstance(sys.excepthook, ProgramTraceback)


def _status_after(error: BaseException) -> int:
    if isinstance(error, StethoError):
        from stetho.views.console import speak

        speak(str(error))
        return error.exit_status
    if isinstance(error, BrokenPipeError):
        # The reader (head, less) has seen enough. What is still buffered must not fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STATUS_AFTER_SIGPIPE
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
    return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
