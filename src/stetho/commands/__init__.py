"""One file for each command: `NAME`, `HELP`, `prepare(parser)` and `run(arguments)`; heavy imports inside `run`."""

import argparse
import importlib
from typing import Protocol, cast

COMMANDS = (
    "run",
    "trace",
    "profile",
    "summary",
    "graph",
    "visit",
    "replay",
    "repro",
    "check",
    "checks",
    "explain",
    "runs",
    "show",
    "precision",
    "ckpt",
    "query",
    "export",
    "compare",
    "port",
    "equivalent",
    "data",
    "verify",
    "doctor",
)
"""Every command by the name of its module, in the order in which they are shown."""


class Command(Protocol):
    """What the module of a command holds; with `TAKES_PROGRAM = True` it is given `arguments.program` too."""

    NAME: str
    HELP: str

    def prepare(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own options and arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and give the exit status."""


def load(name: str) -> Command:
    """The module of a command.

    >>> load("run").NAME
    'run'
    """
    return cast(Command, importlib.import_module(f"{__name__}.{name}"))
