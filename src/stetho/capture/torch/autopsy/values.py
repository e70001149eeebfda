"""The results of traced operations, one after another in a file: two traces are compared by them."""

import math
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from torch import Tensor

from stetho.capture.torch.autopsy.nonfinite import can_be_bad
from stetho.capture.torch.calls.looks import as_array

MOST_BYTES = 8 << 30
"""More than this of one step is not written: the rest of its operations have no values."""
LONGEST_CONSTANT = 60


class ValueFile:
    """Writes results as plain bytes; what it gives back for an operation says where they are.

    A step's file is put in place when the step is over, so that it always belongs to the trace beside it.
    """

    def __init__(self, place: Callable[[], Path]) -> None:
        self._place = place
        self._open: BinaryIO | None = None

    @property
    def _file(self) -> BinaryIO:
        if self._open is None:
            self._open = self._place().with_suffix(".part").open("wb")
        return self._open

    def settle(self) -> None:
        """The step is over: what was written is put in place."""
        if self._open is not None:
            self._open.close()
            Path(self._open.name).replace(self._place())
            self._open = None

    def drop(self) -> None:
        """Nobody wants what was written since the last step."""
        if self._open is not None:
            self._open.close()
            Path(self._open.name).unlink(missing_ok=True)
            self._open = None

    def keep(self, args: Any, kwargs: Any, result: Any) -> dict[str, Any]:
        """Write the results of one operation; the hashes of its inputs and its other arguments come with it."""
        given = [_hash(each) for each in _flat((*args, *kwargs.values())) if isinstance(each, Tensor)]
        constants = [str(each)[:LONGEST_CONSTANT] for each in _flat((*args, *kwargs.values())) if _is_constant(each)]
        return {"given": given, "constants": constants, "results": [self._write(each) for each in _results(result)]}

    def _write(self, tensor: Tensor) -> list[Any] | None:
        if self._file.tell() + tensor.numel() * tensor.element_size() > MOST_BYTES:
            return None
        array = as_array(tensor)
        begins = self._file.tell()
        self._file.write(array.tobytes())
        return [begins, array.dtype.str, list(array.shape)]


def _results(result: Any) -> list[Tensor]:
    return [each for each in _flat((result,)) if isinstance(each, Tensor) and can_be_bad(each)]


def _flat(values: Any) -> list[Any]:
    return [each for value in values for each in (value if isinstance(value, tuple | list) else (value,))]


def _is_constant(value: Any) -> bool:
    return isinstance(value, bool | int | float | str) and not (isinstance(value, float) and math.isnan(value))


def _hash(tensor: Tensor) -> str:
    if tensor.is_meta or tensor.numel() == 0:
        return ""
    return blake2b(as_array(tensor).tobytes(), digest_size=8).hexdigest()
