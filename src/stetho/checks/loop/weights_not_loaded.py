"""weights-not-loaded: a checkpoint whose keys do not fit, or a copy that never got the weights."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, OVERFITTED
from stetho.checks.mechanisms.lagging import lagging
from stetho.checks.mechanisms.left_behind import left_behind
from stetho.checks.mechanisms.standing import standing
from stetho.checks.window import Window
from stetho.findings.finding import Finding


@check(severity="error", explains=(*NOT_LEARNING, *OVERFITTED, "initial-loss-off", "labels-independent-of-inputs"))
def weights_not_loaded(window: Window, *, share: float = 0.5) -> Finding | None:
    """Weights were loaded and most keys found no place.

    ## What it finds
    A `load_state_dict` that gave a value to less than the share `share` of the entries while keys of the checkpoint
    were left over. Or one that gave a value to none at all: whoever picks the keys that fit may be left with nothing.
    Also a copy that is evaluated, as an average of the weights, and is still nearly what they were at the start, or
    whose batch norms never got the running statistics of the model; and a target network, or the teacher of a student
    that was made with it, that never gets the weights of the model.

    ## Why it matters
    With `strict=False` nothing is said: the model keeps its random initialisation and trains from scratch at a
    learning rate for fine-tuning. The usual cause is a prefix such as `module.` or `model.` in the keys.

    ## What to try
    Compare the first missing with the first unexpected keys in the evidence, and strip or add the prefix. Bring a copy
    up to date in the loop.

    ## When it is wrong
    A checkpoint from which only a small part is wanted. Targets that are meant to come from a fresh copy of the model.
    """
    behind = lagging(window) or left_behind(window) or standing(window)
    if behind is not None:
        return behind
    if not window.loads:
        raise Skip("no weights were loaded")
    for load in window.loads:
        total = load.matched + load.missing
        if total and load.matched < share * total and (load.unexpected or not load.matched):
            return window.finding(
                f"only {load.matched} of {total} entries of {load.model} were loaded; "
                + (f"{load.unexpected} keys were left over" if load.unexpected else "the state had no key that fits"),
                where=window.at(window.given(load.line, "state_dict")),
                confidence=0.97,
                missing=", ".join(load.first_missing),
                unexpected=", ".join(load.first_unexpected),
            )
    return None
