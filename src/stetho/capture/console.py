"""An interactive shell in the middle of a program: IPython where it is installed, plain Python otherwise."""

import code
import sys
from collections.abc import Callable, Mapping
from typing import Any

_open: list[str] = []
"""The shells that are open, one inside of another."""


class Leave(Exception):
    """Raised inside the shell to let the program go on."""


def has_terminal() -> bool:
    """Whether somebody is there to type."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr is not None and sys.stderr.isatty()


def is_open() -> bool:
    """Whether somebody types in a shell of ours: the terminal is theirs then, while it computes as well."""
    return bool(_open)


def open_console(namespace: Mapping[str, Any], banner: str) -> None:
    """Open a shell with these names; `go()`, `exit()` or the end of the input let the program go on."""
    names = dict(namespace) | {"go": leave}
    kind = _ipython()
    _open.append(banner)
    try:
        if kind is not None:
            _open_ipython(kind, names, banner)
        else:
            _Console(names).interact(banner, exitmsg="")
    except (Leave, SystemExit):
        # `exit()` means the shell, and not the program that it was opened in.
        pass
    finally:
        _open.pop()


def leave() -> None:
    """Let the program go on."""
    raise Leave


class _Console(code.InteractiveConsole):
    def showtraceback(self) -> None:
        """An exception is shown and the shell stays open, unless it is the one that leaves."""
        if isinstance(sys.exc_info()[1], Leave):
            raise Leave from None
        super().showtraceback()


def _open_ipython(kind: Callable[..., Any], names: Mapping[str, Any], banner: str) -> None:
    shell = kind(user_ns=names, banner1="", confirm_exit=False, colors="neutral")
    # It shows every exception and stays open, so the one that leaves is taken before.
    shell.set_custom_exc((Leave,), lambda shell, *_, **__: shell.ask_exit())
    shell(header=banner)


def _ipython() -> Callable[..., Any] | None:
    try:
        from IPython.terminal.embed import InteractiveShellEmbed
    except ImportError:
        return None
    return InteractiveShellEmbed
