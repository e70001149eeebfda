"""What is built for which option."""

from typing import Any, ClassVar

import pytest

from stetho.capture.torch.hindsight import make_autopsies
from stetho.config import Options


class Anything:
    """Stands in for parts that are only handed on."""

    on_end: ClassVar[list[Any]] = []

    def wrap(self, _point: str, function: Any, **_: object) -> Any:
        return function


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (Options(), (False, False, False)),
        (Options(trace_from=3), (True, False, False)),
        (Options(bundle=True), (False, True, False)),
        (Options(break_at=("nan",)), (False, False, True)),
    ],
)
def test_only_what_is_asked_for_is_there(options, expected):
    anything: Any = Anything()
    made = make_autopsies(options, anything, anything, anything, anything, (anything,) * 4)
    there = (made.tracing is not None, made._write_bundle is not None, bool(made._breaks._conditions))
    assert there == expected
