"""The frames of a traceback, with the exact expression that each one was at. Standard library only."""

import ast
import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType

from stetho.capture.source import is_own_code, is_user_code
from stetho.capture.text.syntax import syntax_of

MOST_FRAMES = 2000


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A frame and the instruction that it was at."""

    frame: FrameType
    line: int
    instruction: int

    @property
    def file(self) -> str:
        """The file of the frame."""
        return self.frame.f_code.co_filename

    @property
    def function(self) -> str:
        """The name of the function."""
        return self.frame.f_code.co_name

    @property
    def is_user(self) -> bool:
        """Whether this is the user's own code."""
        return is_user_code(self.frame.f_code)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the function's parameters."""
        code = self.frame.f_code
        return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]

    @property
    def code(self) -> str:
        """The text of the line."""
        return linecache.getline(self.file, self.line, self.frame.f_globals).strip()

    def node(self) -> ast.AST | None:
        """The innermost expression or statement that covers the instruction; None without a source."""
        tree = syntax_of(self.file)
        span = _span(self)
        if tree is None or span is None:
            return None
        covering = [each for each in ast.walk(tree) if isinstance(each, ast.expr | ast.stmt) and _covers(each, span)]
        return min(covering, key=_extent, default=None)


def places_of(trace: TracebackType | None) -> list[Place]:
    """All frames of a traceback but those of stetho itself, the outermost first."""
    return list(_walk(trace))


def _walk(trace: TracebackType | None) -> Iterator[Place]:
    for _ in range(MOST_FRAMES):
        if trace is None:
            return
        if not is_own_code(trace.tb_frame.f_code):
            yield Place(trace.tb_frame, trace.tb_lineno, trace.tb_lasti)
        trace = trace.tb_next


def text_of(node: ast.AST, longest: int = 80) -> str:
    """The source of a node in one line.

    >>> text_of(ast.parse("f( x,y )").body[0])
    'f(x, y)'
    """
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


Span = tuple[int, int, int, int]


def _span(place: Place) -> Span | None:
    number = place.instruction // 2
    for index, (line, end_line, column, end_column) in enumerate(place.frame.f_code.co_positions()):
        if index == number:
            if line is None or end_line is None or column is None or end_column is None:
                return None
            return line, column, end_line, end_column
    return None


def _covers(node: ast.expr | ast.stmt, span: Span) -> bool:
    begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    return begin <= span[:2] and end >= span[2:]


def _extent(node: ast.expr | ast.stmt) -> tuple[int, int, bool]:
    # A statement that is nothing but an expression stands for that.
    rows, columns = (node.end_lineno or 0) - node.lineno, (node.end_col_offset or 0) - node.col_offset
    return rows, columns, isinstance(node, ast.stmt)
