"""Weights in the order in which a model uses them, and which way they lie."""

from dataclasses import dataclass

from stetho.comparing.models.trace import WEIGHT, Array, Site, Trace

RIGHT_OPERANDS = ("matmul", "mm", "addmm", "bmm", "baddbmm", "einsum")
TURNING = ("t", "T", "mT", "transpose", "permute", "swapaxes")


@dataclass(frozen=True)
class Used:
    """A weight: its name and values, and whether its first axis counts inputs and not outputs."""

    name: str
    value: Array
    is_inputs_first: bool = False

    @property
    def rows(self) -> Array:
        """The weight with outputs along its first axis."""
        return self.value.T if self.is_inputs_first else self.value


def used_weights(trace: Trace, *, again: bool = False) -> list[Used]:
    """Weights of real numbers by their first use; those that are never used come last.

    With `again`, a weight that two layers share is there for each of them.
    """
    uses: dict[tuple[str, str], None] = {}
    for site in trace.sites:
        for each in (trace.sites[operand] for operand in site.operands):
            if each.kind == WEIGHT:
                uses[each.name, site.layer if again else ""] = None
    names = [name for name, _ in uses if name in trace.weights]
    names += [name for name in trace.weights if name not in names]
    sites = {site.name: site for site in trace.sites if site.kind == WEIGHT}
    return [
        Used(name, trace.weights[name], name in sites and _is_inputs_first(trace, sites[name]))
        for name in names
        if trace.weights[name].dtype.kind == "f" and trace.weights[name].size
    ]


def lies_inputs_first(trace: Trace, name: str) -> bool:
    """Whether the first axis of a weight counts inputs, as its use shows."""
    site = next((each for each in trace.sites if each.kind == WEIGHT and each.name == name), None)
    return site is not None and _is_inputs_first(trace, site)


def _is_inputs_first(trace: Trace, site: Site) -> bool:
    turned = False
    for _ in range(3):
        uses = [trace.sites[each] for each in trace.consumers.get(site.number, [])]
        if site.value.ndim != 2 or not uses:
            return False
        user = uses[0]
        if user.name in RIGHT_OPERANDS:
            return not turned
        if user.name not in TURNING:
            return False
        site, turned = user, not turned
    return False
