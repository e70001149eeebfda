"""odd-momentum: momentum or betas far from what works."""

from stetho.checks.declare import Skip, check
from stetho.checks.run.facts import Group, Optimizer
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(
    severity="warning",
    explains=("divergence", "overflow", "loss-spike", "loss-plateau", "learning-rate-too-high", "dead-relu",
              "stopped-early", "exploding-gradient", "metric-not-following", "collapsed-output"),
)  # fmt: skip
def odd_momentum(window: Window, *, momentum: float = 0.99, beta2: float = 0.5) -> Finding | None:
    """Momentum or betas out of their usual range.

    ## What it finds
    A `momentum` or first beta above 0.99, a second beta below `beta2`, or a first beta above the second: the two are
    exchanged.

    ## Why it matters
    Momentum 0.999 averages over 1000 steps: the weights go on in a direction that is long out of date, and
    swing. A second beta that is too small divides each gradient by itself, so that only its sign is left.

    ## What to try
    Use `momentum=0.9`, or `betas=(0.9, 0.999)`.

    ## When it is wrong
    Very large batches and long runs with a matching small learning rate.
    """
    if not any(_momenta(group) for optimizer in window.optimizers for group in optimizer.groups):
        raise Skip("no optimizer with momentum")
    for optimizer in window.optimizers:
        for group in optimizer.groups:
            title = _oddity(_momenta(group), momentum, beta2)
            if title is not None:
                return _found(window, optimizer, title, _momenta(group))
    return None


def _momenta(group: Group) -> tuple[float, ...]:
    """The first and, if there is one, the second average."""
    betas = group.settings.get("betas")
    if isinstance(betas, list | tuple) and len(betas) == 2 and all(isinstance(one, int | float) for one in betas):
        return float(betas[0]), float(betas[1])
    value = group.number("momentum")
    return (value,) if value else ()


def _oddity(momenta: tuple[float, ...], most: float, least: float) -> str | None:
    if not momenta:
        return None
    first = momenta[0]
    if len(momenta) > 1 and first > momenta[1] and first > 0.9:
        return f"betas are {first:g} and {momenta[1]:g}: the first is the larger one"
    if first > most:
        return f"momentum {first:g} averages over {1 / max(1 - first, 1e-6):.0f} steps"
    if len(momenta) > 1 and momenta[1] < least:
        return f"the second beta is {momenta[1]:g}: gradients are divided by themselves"
    return None


def _found(window: Window, optimizer: Optimizer, title: str, momenta: tuple[float, ...]) -> Finding:
    return window.finding(
        f"{optimizer.kind}: {title}",
        where=window.at(window.given(optimizer.line, "betas" if len(momenta) > 1 else "momentum")),
        confidence=0.9,
        momenta=list(momenta),
        loss=window.loss_series().values,
    )
