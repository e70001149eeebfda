"""Python's debugger at an error, in the innermost frame of the program's own: `down` leads on into the libraries."""

import pdb
from types import FrameType, TracebackType
from typing import Any, TextIO

from stetho.capture.source import is_user_code


class Debugger(pdb.Pdb):
    """A debugger that begins where the program's variables are."""

    def setup(self, frame: FrameType | None, traceback: TracebackType | None) -> Any:
        """Choose the frame that is shown first."""
        done = super().setup(frame, traceback)
        own = [place for place, (each, _) in enumerate(self.stack) if is_user_code(each.f_code)]
        if own:
            self.curindex = own[-1]
            self.curframe = self.stack[own[-1]][0]
            self.curframe_locals = self.curframe.f_locals
        return done


def open_debugger(error: BaseException, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
    """Open the debugger at an error; it ends when the user leaves it."""
    debugger = Debugger(stdin=stdin, stdout=stdout)
    debugger.reset()
    debugger.interaction(None, error.__traceback__)
