"""From a bad value back to the operation, or the data, that it began with. Works on what a trace left behind."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stetho.capture.torch.autopsy.ops import Op, Source

TAKES_MASKS = frozenset(
    {
        "softmax",
        "log_softmax",
        "logsumexp",
        "softmax_backward_data",
        "log_softmax_backward_data",
        "scaled_dot_product_flash_attention_for_cpu",
        "scaled_dot_product_attention_math",
        "safe_softmax",
        "masked_softmax",
        "add",
        "sub",
        "where",
        "masked_fill",
        "logaddexp",
        "max",
        "amax",
        "exp",
    }
)
"""Operations that are given minus infinity on purpose. If one of them makes NaN of it, that is where the NaN began."""


@dataclass(frozen=True, slots=True)
class Birth:
    """Where bad values began: an operation, or something that came from outside of the trace under a name."""

    op: Op | None
    origin: str | None
    chain: tuple[Op, ...]
    """The operations that handed the bad value on, from the birth to the end of the way."""
    facts: Mapping[str, Any] | None = None
    """Of a tensor without a name: where it is bad."""

    @property
    def order(self) -> int:
        """When it happened; what came from outside was there before everything."""
        return self.op.number if self.op is not None else 0


def births_of(ends: list[Source], ops: Mapping[int, Op]) -> list[Birth]:
    """All births that the bad values at `ends` go back to, the earliest first.

    Infinities that the program put in by hand are births only of what else was made of them.
    """
    walk = _Walk(ops)
    found: dict[tuple[int | None, str | None], Birth] = {}
    for end in ends:
        for birth in walk.back(end, ()):
            found.setdefault((birth.op.number if birth.op else None, birth.origin), birth)
    # A buffer that is bad was mostly made so by this very pass, which began with the buffer as it is now.
    return sorted(found.values(), key=lambda birth: ((birth.origin or "").startswith("buffer"), birth.order))


class _Walk:
    def __init__(self, ops: Mapping[int, Op]) -> None:
        self._ops = ops
        self._seen: set[int] = set()

    def back(self, end: Source, chain: tuple[Op, ...]) -> list[Birth]:
        """Births behind one bad value. Not recursive: a trace may be longer than the stack is deep."""
        births: list[Birth] = []
        trail = [(end, chain)]
        while trail:
            source, after = trail.pop()
            op = self._ops.get(source.op) if source.op is not None else None
            if op is None:
                births.append(Birth(None, source.origin or "", after, source.facts))
                continue
            if op.number in self._seen:
                continue
            self._seen.add(op.number)
            before = [each for each in op.sources if not self._is_deliberate(each, op)]
            if not before:
                births.append(Birth(op, None, after))
            # What has NaN in it is nearer to the truth than what is only infinite.
            trail += [(each, (op, *after)) for each in sorted(before, key=lambda each: each.has_nan)]
        return births

    def _is_deliberate(self, source: Source, taker: Op) -> bool:
        """Whether an infinity was put there by hand, as a mask, and the operation that takes it should cope."""
        if source.has_nan or not source.only_negative:
            return False
        copes = taker.name in TAKES_MASKS
        if source.op is None:
            return not (source.origin or "").startswith("parameter") and copes
        # What came with the data is a mask only where masks are taken; elsewhere it is a bad value of the data.
        return self._only_from_masks(source.op, or_given=copes)

    def _only_from_masks(self, number: int, *, or_given: bool) -> bool:
        trail, seen = [number], set[int]()
        while trail:
            op = self._ops.get(trail.pop())
            if op is None or op.number in seen:
                continue
            seen.add(op.number)
            if op.constant:
                continue
            if not op.sources:
                return False
            for source in op.sources:
                is_given = source.op is None
                if source.has_nan or (is_given and (not or_given or (source.origin or "").startswith("parameter"))):
                    return False
                if source.op is not None:
                    trail.append(source.op)
        return True
