"""best-state-not-copied: a state is loaded that is the weights themselves."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import OVERFITTED
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*OVERFITTED, "divergence", "loss-spike", "stopped-early", "loss-plateau"))
def best_state_not_copied(window: Window) -> Finding | None:
    """A kept state is loaded, and was never a copy.

    ## What it finds
    A `load_state_dict` whose tensors are all the model's own memory, from a `state_dict()` that was taken some steps
    of training earlier.

    ## Why it matters
    `state_dict()` gives back the weights themselves. The state that was kept as the best one went on with the training,
    and loading it does nothing: the model that is used is the last one.

    ## What to try
    Keep a copy: `copy.deepcopy(model.state_dict())`, or `{name: value.clone() for name, value in …}`; `detach()` and
    `cpu()` alone copy nothing that is on the CPU.

    ## When it is wrong
    A state that is meant to follow the weights; then loading it can be left out.
    """
    if not window.loads:
        raise Skip("no weights were loaded")
    for load in window.loads:
        if load.kept is None or load.step is None:
            continue
        return window.finding(
            f"the state of {load.model or 'the model'} that is loaded after step {load.step} was kept after step "
            f"{load.kept} and is no copy: the steps between changed it too, so loading it restores nothing",
            where=window.at(load.kept_at or load.line),
            steps=(load.kept, load.step, load.step - load.kept),
            confidence=0.97,
            loaded_at=load.line or "",
            kept_at=load.kept_at or "",
        )
    return None
