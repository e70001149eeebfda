"""hooks-piling-up: hooks are registered again and again, and stay."""

from stetho.checks.declare import Skip, check
from stetho.checks.evidence.symptoms import NOT_LEARNING, OVERFITTED, RUNNING_AWAY
from stetho.checks.window import Window
from stetho.findings.finding import Finding

SYMPTOMS = (*NOT_LEARNING, *OVERFITTED, *RUNNING_AWAY, "graph-kept-alive", "excessive-dropout", "train-mode-in-eval")


@check(severity="error", explains=SYMPTOMS)
def hooks_piling_up(window: Window, *, least: int = 4) -> Finding | None:
    """A module gets one more hook again and again.

    ## What it finds
    Hooks of one line that are on one module at the same time, registered after at `least` so many different steps, as
    in each epoch.

    ## Why it matters
    Each call of the module runs all of them. What a hook does to the output is done as many times as there are hooks,
    more with every epoch; what it collects is collected as often; and the program slows down.

    ## What to try
    Register the hook once, before the loop, or keep the handle and call its `remove()` when it has done its work.

    ## When it is wrong
    Hooks that take themselves away when they are called, later than the next one comes.
    """
    if not window.hooks:
        raise Skip("no module got hooks after several steps")
    pile = max(window.hooks, key=lambda each: len(each.steps))
    if len(pile.steps) < least:
        return None
    return window.finding(
        f"{pile.count} hooks of one line are on one {pile.module or 'module'}: another one came after each of "
        f"{len(pile.steps)} steps ({', '.join(map(str, pile.steps[:4]))}, …), and none was removed",
        where=window.at(pile.line),
        steps=(pile.steps[0], pile.steps[-1], len(pile.steps)),
        confidence=0.96,
        hooks=float(pile.count),
        registered_after=[float(step) for step in pile.steps[:64]],
    )
