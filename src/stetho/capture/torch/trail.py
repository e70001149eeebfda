"""The operations of a traced program, one after another: what each one is, where the program was, in which layer.

A few references for each; what they mean is read when somebody asks. `Trail` is written in C where that was built: this
is done for every single operation, and takes a third of the time there.
"""

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

Position = tuple[CodeType, int] | str | None
"""A code object and the place in it, a line that is known as such, or neither."""

NO_NUMBER = 1 << 63
RawRow = tuple[Any, str, Position, str | None, str | None, int, int, int, int]
"""Kind, phase, position, layer, node, sequence, given, made, end."""


class PythonTrail:
    """Rows of references.

    `is_users` tells whether code belongs to the program, `node` gives the autograd node at work, `sequence` the number
    of the next one; at one of the `stops` the search for the program's code ends.

    >>> trail = PythonTrail(lambda code: False, lambda: None, lambda: 5, ())
    >>> trail.add("exp", "forward", "train.py:3", ["encoder"], 0, 1, 2)
    0
    >>> trail.row(0)
    ('exp', 'forward', 'train.py:3', 'encoder', None, 4, 0, 1, 2)
    """

    def __init__(
        self,
        is_users: Callable[[CodeType], bool],
        node: Callable[[], Any],
        sequence: Callable[[], int],
        stops: tuple[CodeType, ...],
    ) -> None:
        self._is_users = is_users
        self._node = node
        self._sequence = sequence
        self._stops = stops
        self._rows: list[RawRow] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self, kind: Any, phase: str, line: str | None, layers: list[str], given: int, made: int, end: int, /
    ) -> int:
        """Write an operation down; gives its number. `line` is where it came from if no code of the program's did."""
        node, layer = self._node(), layers[-1] if layers else None
        position = self._position()
        if node is None:
            # The autograd node of an operation is made just before it comes here, and has the number before this one.
            row = (kind, phase, position or line, layer, None, self._sequence() - 1, given, made, end)
        else:
            number = node._sequence_nr()
            # Nodes that add up gradients have the largest number there is.
            number = number if number < NO_NUMBER else -1
            row = (kind, phase, position, layer, node.name(), number, given, made, end)
        self._rows.append(row)
        return len(self._rows) - 1

    def row(self, number: int, /) -> RawRow:
        """What was written down."""
        return self._rows[number]

    def clear(self) -> None:
        """Forget everything; numbers begin anew."""
        self._rows = []

    def _position(self) -> Position:
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and not any(frame.f_code is stop for stop in self._stops):
            if self._is_users(frame.f_code):
                return frame.f_code, frame.f_lasti
            frame = frame.f_back
        return None


if TYPE_CHECKING:
    Trail = PythonTrail
else:
    try:
        from stetho.capture.torch._trail import Trail
    except ImportError:  # no compiler
        Trail = PythonTrail
