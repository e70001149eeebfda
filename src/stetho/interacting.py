"""`stetho.shell()`: a shell with the caller's variables, anywhere in a program."""

import sys
from collections.abc import Callable

from stetho.capture.console import has_terminal, open_console
from stetho.capture.source import line_of
from stetho.views.console import speak


def shell() -> None:
    """Open an interactive shell with the variables of the caller; the program goes on when it is left.

    Under `stetho run` and `stetho.watch` the step under way is at hand as well: `model`, `batch`, `loss`, `step`,
    `layers["name"].output` and `.grad`, and the commands `stats(...)`, `dump()`, `next_step()` and `go()`. It is
    IPython where that is installed. Without a terminal, as in CI, a line says so and nothing is opened.
    """
    from stetho.session import active

    caller = sys._getframe(1)
    if not has_terminal():
        speak(f"no shell at {line_of(caller)}: there is no terminal to type in")
        return
    session = active()
    if session is not None and session.capture is not None:
        session.capture.open_shell(caller)
        return
    names = {**caller.f_globals, **caller.f_locals} | _commands()
    open_console(names, f"stetho · {line_of(caller)} · go() or Ctrl-D lets the program go on")


def _commands() -> dict[str, Callable[..., object]]:
    """What needs no training; nothing of a framework is loaded for it."""
    if "torch" not in sys.modules:
        return {}
    from stetho.capture.torch.at_hand import print_stats

    return {"stats": print_stats}
