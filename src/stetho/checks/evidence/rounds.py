"""The rounds of a training loop: those that were planned, where the loop was left before them."""

from stetho.checks.window import Window


def broken_off(window: Window) -> tuple[str, int] | None:
    """The line that decided to leave the loop, and the rounds that were planned: more than there were steps.

    >>> from stetho.testing import make_window
    >>> given = {"train.py:9": {"rounds=400": "train.py:12"}}
    >>> broken_off(make_window(steps=60, lines={"step": ["train.py:9"]}, given=given))
    ('train.py:12', 400)
    """
    steps = max(window.last_step, int(window.info.get("steps") or 0))
    for line in window.lines.get("step", ()):
        for what, decided in window.facts.given.get(line, {}).items():
            name, _, planned = what.partition("=")
            if name == "rounds" and steps < int(planned):
                return decided, int(planned)
    return None
