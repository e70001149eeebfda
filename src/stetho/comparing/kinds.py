"""What two things are, and who compares them: `stetho.compare`."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from stetho.checkpoints.contents import Checkpoint
from stetho.checkpoints.diffing import diff_checkpoints
from stetho.checkpoints.opening import holds_checkpoint, open_checkpoint
from stetho.comparing.models.compare import compare_models
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


def opened_checkpoint(given: Any) -> Checkpoint | None:
    """The checkpoint that a thing is or names."""
    if isinstance(given, Checkpoint):
        return given
    is_path = isinstance(given, str | Path)
    return open_checkpoint(given) if is_path and holds_checkpoint(Path(given)) else None


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


def opened_model(given: Any) -> Any | None:
    """The model that a thing is, or that a text such as `file.py:build` names."""
    if isinstance(given, str) and names_model(given):
        from stetho.inspect.target import load_target

        return load_target(given).model
    # Whoever has a model has loaded torch.
    torch = sys.modules.get("torch")
    return given if torch is not None and isinstance(given, torch.nn.Module) else None


def names_model(text: str) -> bool:
    """Whether a text is `module:callable` or `file.py:callable`, which no run is called.

    >>> names_model("net.py:build"), names_model("runs/a"), names_model("net.py:Net(3, k=4)")
    (True, False, True)
    """
    place, colon, name = text.partition("(")[0].rpartition(":")
    return bool(colon and len(place) > 1 and name.replace(".", "").isidentifier())


CHECKPOINTS = Kind("checkpoint", opened_checkpoint, diff_checkpoints)
RUNS = Kind("run", opened_run, compare_two_runs)
MODELS = Kind("model", opened_model, compare_models)
KINDS = (CHECKPOINTS, RUNS, MODELS)


def compare(
    one: Any,
    other: Any,
    inputs: Any = None,
    *,
    tolerance: float | None = None,
    rerun: bool = False,
    port: bool | None = None,
    training: bool = False,
    matches: str | Path | None = None,
) -> Any:
    """Compare two recorded runs (their folders, their names, or runs that are open), models, or checkpoint files.

    Models are compared on `inputs`, which is what `stetho.visit` takes. Their layers are matched by values, order,
    shape and name; the result names the first place whose inputs agree and whose output does not. `port` carries the
    weights of the first over to the second; None does so unless most of them are the same already. `matches` is a
    file with the table of matches: written if it is not there, and read if it is.

    >>> import stetho, torch
    >>> first = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.LayerNorm(8))
    >>> second = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.LayerNorm(8, eps=1e-6))
    >>> found = stetho.compare(first, second, (2, 4))
    >>> str(found.first_difference), found.first_difference.reasons[0]
    ('layer_norm in `1` (LayerNorm)', '`eps` is 1e-05 in the first, 1e-06 in the second')

    Of runs, the result says where they differ first (`.first_difference`), what that means (`.verdict`) and why
    (`.reasons`). With `rerun`, both programs are run again up to the first step that differs, to compare whole tensors
    and single operations.

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
    if tolerance is not None and tolerance <= 0:
        raise UsageError(f"`tolerance` (={tolerance}) is not above 0; it is a share, as 0.001")
    kind, sides = kind_of(one, other)
    if kind is CHECKPOINTS:
        if tolerance is not None:
            raise UsageError("`tolerance` has no meaning for checkpoints: they are compared bit by bit")
        return kind.compare(*sides)
    if kind is RUNS:
        found = kind.compare(*sides, tolerance=tolerance or TOLERANCE, rerun=rerun)
        return replace(found, names=tuple(map(_called, (one, other), found.names)))
    names = (one, other) if isinstance(one, str) and isinstance(other, str) else ("first", "second")
    how = {"port": port, "training": training, "matches": matches, "tolerance": tolerance}
    return kind.compare(*sides, inputs, names=names, **how)


def _called(given: Any, name: str) -> str:
    """A run by the name that somebody gave it by, who may have chosen the name of its folder."""
    return str(given) if isinstance(given, str | Path) and Path(given).exists() else name


def kind_of(one: Any, other: Any) -> tuple[Kind, list[Any]]:
    """What two things are, and both of them open; UsageError if they are not of one kind."""
    for kind in KINDS:
        sides = [kind.opened(each) for each in (one, other)]
        if all(side is not None for side in sides):
            return kind, sides
        if any(side is not None for side in sides):
            odd = one if sides[0] is None else other
            raise UsageError(f"`{odd}` is no {kind.name}, and the other one is; compare two of a kind")
    raise UsageError(
        f"`{one}` and `{other}` are no recorded runs, no checkpoints and no models; record runs with: stetho run "
        "train.py; name models as file.py:callable"
    )
