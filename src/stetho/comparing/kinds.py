"""What two things are, and who compares them: `stetho.compare`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from stetho.comparing.runs.closely import look_closely, with_tensors
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.curve import TOLERANCE
from stetho.comparing.runs.result import RunComparison
from stetho.errors import RunError, UsageError
from stetho.store.reader import Run, open_run


class Kind(NamedTuple):
    """A kind of things that can be compared: what they are called, how one is told, what compares two of them."""

    name: str
    opened: Callable[[Any], Any]
    """The thing itself; None if this is none of the kind."""
    compare: Callable[..., Any]


def opened_run(given: Any) -> Run | None:
    """The recorded run that a thing is or names."""
    if isinstance(given, Run):
        return given
    if not isinstance(given, str | Path):
        return None
    try:
        return open_run(given)
    except RunError:
        # What holds a run and cannot be read must say so itself.
        if Path(given).is_dir():
            raise
        return None


def compare_two_runs(one: Run, other: Run, *, tolerance: float, rerun: bool) -> RunComparison:
    """Compare recorded runs; with `rerun`, their programs are run again up to the first step that differs."""
    found = with_tensors(compare_runs(one, other, tolerance=tolerance), one, other)
    if rerun:
        return look_closely(found, one, other)
    if found.first_difference is not None and found.first_difference.tensors is None:
        return found.with_notes(
            f"errors element by element and the first operation: --rerun runs both programs again up to step"
            f" {found.verdict.step}"
        )
    return found


KINDS = (Kind("run", opened_run, compare_two_runs),)


def compare(one: Any, other: Any, *, tolerance: float = TOLERANCE, rerun: bool = False) -> RunComparison:
    """Compare two recorded runs: their folders, their names, or runs that are open.

    The result says where they differ first (`.first_difference`), what that means (`.verdict`) and why (`.reasons`).
    With `rerun`, both programs are run again up to the first step that differs, to compare whole tensors and single
    operations.

    >>> import stetho, tempfile, torch
    >>> def train(lr):
    ...     torch.manual_seed(0)
    ...     model = torch.nn.Linear(2, 1)
    ...     optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    ...     with stetho.watch(model, optimizer, out=tempfile.mkdtemp(), quiet=True) as watching:
    ...         for _ in range(2):
    ...             optimizer.zero_grad()
    ...             model(torch.ones(4, 2)).square().mean().backward()
    ...             optimizer.step()
    ...     return watching.path
    >>> found = compare(train(0.1), train(0.2))
    >>> found.verdict.kind, str(found.first_difference), found.reasons[0]
    ('update', 'the update of `weight`', 'lr: 0.1 in the first, 0.2 in the second')
    """
    if tolerance <= 0:
        raise UsageError(f"`tolerance` (={tolerance}) is not above 0; it is a share of the loss, as 0.001")
    for kind in KINDS:
        sides = [kind.opened(each) for each in (one, other)]
        if all(side is not None for side in sides):
            found: RunComparison = kind.compare(*sides, tolerance=tolerance, rerun=rerun)
            return found
        if any(side is not None for side in sides):
            odd = one if sides[0] is None else other
            raise UsageError(f"`{odd}` is no {kind.name}, and the other one is; compare two of a kind")
    raise UsageError(f"`{one}` and `{other}` are no recorded runs; record them with: stetho run train.py")
