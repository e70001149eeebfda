"""`stetho.shell()`: a shell with the caller's variables, anywhere in a program."""

import sys

from stetho.capture.console import has_terminal, open_console
from stetho.capture.source import line_of


def shell() -> None:
    """Open an interactive shell with the variables of the caller; the program goes on when it is left.

    It is IPython where that is installed. Without a terminal, as in CI, a line says so and nothing is opened.
    """
    caller = sys._getframe(1)
    if not has_terminal():
        print(f"stetho: no shell at {line_of(caller)}: there is no terminal to type in", file=sys.stderr)
        return
    names = {**caller.f_globals, **caller.f_locals}
    open_console(names, f"stetho · {line_of(caller)} · go() or Ctrl-D lets the program go on")
