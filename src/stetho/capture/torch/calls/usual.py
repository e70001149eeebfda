"""Passes without training that come in nearly every step, as those of an agent that acts: nothing to wake up for."""

from dataclasses import dataclass
from types import FrameType

from stetho.capture.source import user_frame
from stetho.capture.torch.calls.leaves import first_tensor

STEADY = 50
"""Steps in which a pass came, one after the other, until it is usual."""
LARGEST_GAP = 4
MOST_KNOWN = 64


@dataclass(slots=True)
class Known:
    """How often a pass has come so far."""

    step: int
    here: int = 0
    most: int = 0
    in_a_row: int = 0


class Usual:
    """Knows passes by the line that makes them and by the number of samples: another evaluation differs in one of them.

    >>> usual = Usual()
    >>> [usual.comes(None, (), {}, step) for step in range(STEADY + 2)][-2:]
    [False, True]
    >>> usual.comes(None, (), {}, 5000)
    False
    """

    def __init__(self) -> None:
        self._known: dict[object, Known] = {}

    def comes(self, frame: FrameType | None, args: tuple[object, ...], kwargs: dict[str, object], done: int) -> bool:
        """A pass begins after so many steps. Whether it has come in nearly every step so far, about as often."""
        caller, inputs = user_frame(frame), first_tensor(args, kwargs)
        size = inputs.shape[0] if inputs is not None and inputs.dim() > 0 else None
        place = (caller.f_code.co_filename, caller.f_lineno) if caller is not None else None
        known = self._known.get((place, size))
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[place, size] = Known(done)
        if done != known.step:
            is_near = done - known.step <= LARGEST_GAP
            known.in_a_row, known.most = (known.in_a_row + 1, max(known.most, known.here)) if is_near else (0, 0)
            known.step, known.here = done, 0
        known.here += 1
        return known.in_a_row > STEADY and known.here <= 2 * known.most
