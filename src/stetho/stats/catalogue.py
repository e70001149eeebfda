"""One catalogue of all stats: what each role and measure means, its unit and cost. Docs are generated from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Role:
    """What a tensor is to the model."""

    name: str
    meaning: str
    subject: str
    tier: str


@dataclass(frozen=True, slots=True)
class Measure:
    """A number measured on a tensor."""

    name: str
    unit: str
    meaning: str
    cost: str


ROLES = (
    Role("act", "Output of a layer in a forward pass.", "layer", "full"),
    Role("act_grad", "Gradient of the loss with respect to a layer's output.", "layer", "full"),
    Role("param", "Value of a parameter before the update of the step.", "parameter", "full"),
    Role(
        "grad",
        "Gradient of a parameter as the optimizer receives it, after clipping and unscaling.",
        "parameter",
        "full",
    ),
    Role("update", "Change of a parameter in the step; large parameters are sampled.", "parameter", "full"),
    Role("state", "State that the optimizer keeps for a parameter, as `state.<key>`.", "parameter", "full, every 4th"),
)

MEASURES = (
    Measure("calls", "tensors", "How many tensors of the step are put together in the row.", "none"),
    Measure("count", "elements", "How many elements were measured.", "none"),
    Measure("nan", "elements", "How many are NaN.", "one pass, only when the sum is not finite"),
    Measure("inf", "elements", "How many are infinite.", "one pass, only when the sum is not finite"),
    Measure("zeros", "elements", "How many are exactly zero.", "one pass"),
    Measure("min", "value", "Smallest finite element.", "one pass, with max"),
    Measure("max", "value", "Largest finite element.", "one pass, with min"),
    Measure("mean", "value", "Mean of the finite elements.", "one pass"),
    Measure("std", "value", "Standard deviation of the finite elements (population).", "one pass, with rms"),
    Measure("rms", "value", "Root of the mean square of the finite elements.", "one pass"),
    Measure("absmax", "value", "Largest magnitude of a finite element.", "none"),
    Measure("ratio", "1", "Role `update` only: rms of the update over rms of the parameter.", "none"),
)


def is_stat(name: str) -> bool:
    """Whether `role.measure` names a stat.

    >>> is_stat("act.rms"), is_stat("state.exp_avg.rms"), is_stat("act.mood")
    (True, True, False)
    """
    role, _, measure = name.rpartition(".")
    return measure in {m.name for m in MEASURES} and role.partition(".")[0] in {r.name for r in ROLES}
