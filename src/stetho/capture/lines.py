"""Where in the user's code the events of the training loop come from."""

from types import FrameType

from stetho.capture.source import line_of, user_frame

MOST_LINES = 8


class Lines:
    """The user's lines for each kind of event, in the order they were first seen.

    >>> lines = Lines()
    >>> lines.note("step", None)
    ''
    >>> lines.found
    {}
    """

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    def note(self, event: str, frame: FrameType | None) -> str:
        """Remember the innermost line of the user's code at or above a frame, and say which it is."""
        line = line_of(user_frame(frame))
        if line is None:
            return ""
        known = self.found.setdefault(event, [])
        if str(line) not in known and len(known) < MOST_LINES:
            known.append(str(line))
        return str(line)
