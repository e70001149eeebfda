"""What is left to say when a program ends by an error: its frames with their values, and an explanation in words."""

import ast
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from stetho.capture.circumstances import held, repeated
from stetho.capture.expressions import value_of
from stetho.capture.frames import Place, places_of
from stetho.capture.source import library_of
from stetho.capture.text.syntax import syntax_of
from stetho.capture.values import Describe, is_shown, value_text
from stetho.explaining import explain
from stetho.explaining.report import ErrorReport, FrameReport
from stetho.explaining.scene import Explanation, Scene

MOST_VALUES = 10
MOST_FRAMES = 8
MOST_LETTERS = 2000
DEEPEST_CHAIN = 8


def report_of(error: BaseException) -> ErrorReport:
    """All that is to be told of an unhandled error, as plain data."""
    places = places_of(error.__traceback__)
    scene = _scene(error, places)
    explanation = explain(scene) or _explained_cause(error)
    return ErrorReport(
        kind=_kind(error),
        message=_message(error),
        where=scene.where or None,
        layer=scene.layer.name or None if scene.layer is not None else None,
        frames=tuple(_frames(places)),
        explanation=explanation,
    )


def _kind(error: BaseException) -> str:
    kind = type(error)
    return (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )


def _message(error: BaseException, longest: int = MOST_LETTERS) -> str:
    # As python prints it, which also holds for an error that cannot turn itself into text.
    text = "".join(traceback.format_exception_only(error)).strip()
    return text.removeprefix(f"{_kind(error)}: ")[:longest]


def _scene(error: BaseException, places: Sequence[Place]) -> Scene:
    return replace(
        _plain_scene(error, places),
        repeated=repeated(places) if isinstance(error, RecursionError) else None,
        held=held(places) if isinstance(error, KeyError) else None,
    )


def _plain_scene(error: BaseException, places: Sequence[Place]) -> Scene:
    # With a framework that the program never imported, there is no layer and no tensor to look at.
    if "torch" in sys.modules:
        from stetho.capture.torch.failure.scene import scene_of

        return scene_of(type(error).__name__, _message(error, 4 * MOST_LETTERS), places)
    own = next((place for place in reversed(places) if place.is_user), None)
    where = f"{own.file}:{own.line}" if own is not None else ""
    return Scene(type(error).__name__, _message(error), where=where, code=own.code if own is not None else "")


def _explained_cause(error: BaseException) -> Explanation | None:
    """An explanation of an error that this one was raised from."""
    for _ in range(DEEPEST_CHAIN):
        before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if before is None:
            return None
        error = before
        found = explain(_scene(error, places_of(error.__traceback__)))
        if found is not None:
            return found
    return None


# ---- frames


def _frames(places: Sequence[Place]) -> Iterator[FrameReport]:
    """The user's frames with their variables; those of libraries, and the middle of a long stack, are folded."""
    own = [place for place in places if place.is_user]
    half = MOST_FRAMES // 2
    # With the frames of libraries between them: a module that calls itself does so through several of torch.
    first, last = (places.index(own[half]), places.index(own[-half - 1])) if len(own) > MOST_FRAMES else (0, -1)
    left_out = {id(place) for place in places[first : last + 1]}
    for is_shown_whole, group in groupby(places, lambda place: place.is_user and id(place) not in left_out):
        if is_shown_whole:
            yield from map(_frame, group)
        else:
            yield from _folded(list(group), left_out)


def _folded(places: Sequence[Place], left_out: set[int]) -> Iterator[FrameReport]:
    for _, group in groupby(places, lambda place: id(place) in left_out):
        *_, last = folded = list(group)
        library = "" if last.is_user else library_of(last.frame.f_code)
        yield FrameReport(last.file, last.line, last.function, folded=len(folded), library=library)


def _frame(place: Place) -> FrameReport:
    return FrameReport(place.file, place.line, place.function, place.code, tuple(_values(place)))


def _values(place: Place) -> Iterator[tuple[str, str]]:
    """The variables that the line itself uses, then the others, up to a number."""
    describe = _describer()
    frame = place.frame
    used = {name: frame.f_locals[name] for name in _names_used(place) if name in frame.f_locals}
    others = frame.f_locals if place.function != "<module>" else {}
    both = {name: value for name, value in {**used, **others}.items() if is_shown(name, value)}
    for name in list(both)[:MOST_VALUES]:
        yield name, value_text(both[name], name, describe)
    yield from _attributes(place, describe)


def _attributes(place: Place, describe: Describe) -> Iterator[tuple[str, str]]:
    """Plain attributes that the line uses, as `self.scale`, when they say something."""
    nodes = (node for node in _nodes_of_line(place) if isinstance(node, ast.Attribute))
    for text, node in {ast.unparse(node): node for node in nodes if isinstance(node.ctx, ast.Load)}.items():
        value = value_of(node, place)
        if isinstance(value, int | float | str) or describe(value) is not None:
            yield text, value_text(value, node.attr, describe)


def _names_used(place: Place) -> list[str]:
    names = [node.id for node in _nodes_of_line(place) if isinstance(node, ast.Name)]
    return list(dict.fromkeys(names))


def _nodes_of_line(place: Place) -> list[ast.AST]:
    tree = syntax_of(place.file)
    if tree is None:
        return []
    return [node for node in ast.walk(tree) if getattr(node, "lineno", None) == place.line]


def _describer() -> Describe:
    if "torch" not in sys.modules:
        return lambda _: None
    from stetho.capture.torch.failure.tensors import line_for

    return line_for
