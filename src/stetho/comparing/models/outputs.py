"""Which output of one model is which of the other."""

from stetho.comparing.models.trace import Array, Trace
from stetho.comparing.models.values import likeness
from stetho.errors import UsageError


def pair_outputs(one: Trace, other: Trace, tolerance: float) -> list[tuple[int, int]]:
    """Numbers of outputs that belong together: first by values, then by shape, then by size.

    An output that only one of the models gives, as its cache or its attention, has no partner.
    """
    ours, theirs = _usable(one), _usable(other)
    found: list[tuple[int, int]] = []
    rules = (
        lambda a, b: likeness(a, b, tolerance) in ("same", "reshaped"),
        lambda a, b: a.shape == b.shape,
        lambda a, b: a.size == b.size,
    )
    for rule in rules:
        for b in list(theirs):
            a = next((a for a in ours if rule(_value(one, a), _value(other, b))), None)
            if a is not None:
                found.append((a, b))
                ours.remove(a)
                theirs.remove(b)
    if not found:
        raise UsageError(
            f"no output of the two models has the same size: the first gives {_shapes(one)}, the second"
            f" {_shapes(other)}; give both the same input and let them return the same"
        )
    return sorted(found, key=lambda pair: pair[1])


def _usable(trace: Trace) -> list[int]:
    """Outputs of real numbers; others only where there are none."""
    every = range(len(trace.outputs))
    return [each for each in every if trace.sites[trace.outputs[each]].is_float] or list(every)


def _value(trace: Trace, output: int) -> Array:
    return trace.sites[trace.outputs[output]].value


def _shapes(trace: Trace) -> str:
    shapes = [list(trace.sites[each].value.shape) for each in trace.outputs]
    return " and ".join(map(str, shapes)) or "no tensor"
