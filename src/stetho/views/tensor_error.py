"""How far apart two tensors are, in lines for the terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stetho.views import text
from stetho.views.folding import Line, labelled
from stetho.views.summary_lines import SEPARATOR

if TYPE_CHECKING:
    from stetho.comparing.tensor_error import TensorError


def error_lines(error: "TensorError", indent: int, width: int) -> Iterator[Line]:
    """The sizes of an error, then the worst element with both its values."""
    words = [
        f"max abs {text.number(error.max_abs)}",
        f"max rel {text.number(error.max_rel)}",
        *([f"cosine {error.cosine:.8g}"] if error.cosine == error.cosine else []),
        *([f"{text.count(error.ulps)} ulps"] if error.ulps is not None else []),
        f"{text.count(error.differing)} of {text.count(error.count)} elements",
    ]
    yield from labelled("error", "dim", SEPARATOR.join(words), "", indent, width)
    yield from labelled("worst", "dim", error.worst, "", indent, width)
