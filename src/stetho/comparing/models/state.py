"""What models keep from one call to the next: running statistics, of models whose outputs and gradients agree."""

from dataclasses import dataclass

from stetho.comparing.models.agreement import Agreements
from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace
from stetho.comparing.models.values import is_close


@dataclass(frozen=True)
class StateCheck:
    """How many buffers were compared, and the first that differs: its name, values, and the operations that take it."""

    compared: int
    name: str = ""
    place: tuple[Site | None, Site | None] = (None, None)
    apart: tuple[Array, Array] | None = None


def check_state(one: Trace, other: Trace, same: Agreements) -> StateCheck:
    """Compare the buffers that both models changed; what only one of them keeps has no partner."""
    ours = {name: value for name, value in one.kept.items() if value.dtype.kind == "f"}
    alone, compared = [], 0
    for name, value in other.kept.items():
        equal = next((each for each in ours if _is_same(ours[each], value, same.tolerance)), None)
        if equal is not None:
            del ours[equal]
            compared += 1
        elif value.dtype.kind == "f":
            alone.append(name)
    for name in alone:
        value = other.kept[name]
        partner = next((each for each in ours if ours[each].size == value.size), None)
        if partner is not None:
            place = _user(one, partner), _user(other, name)
            return StateCheck(compared + 1, name, place, (ours[partner], value.reshape(ours[partner].shape)))
    return StateCheck(compared)


def _is_same(one: Array, other: Array, tolerance: float) -> bool:
    return one.size == other.size and is_close(one.reshape(-1), other.reshape(-1), tolerance)


def _user(trace: Trace, name: str) -> Site | None:
    """The operation that takes a buffer."""
    site = next((each for each in trace.sites if each.kind == WEIGHT and each.name == name), None)
    takers = trace.consumers.get(site.number, []) if site is not None else []
    return trace.sites[takers[0]] if takers else None
