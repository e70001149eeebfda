"""A second, closer look: whole tensors and single operations of the first step that differs."""

import re
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from stetho.comparing.runs.again import NotRunAgain, is_changed, run_again
from stetho.comparing.runs.compare import compare_runs
from stetho.comparing.runs.operations import Traced, differing_operations
from stetho.comparing.runs.places import Place
from stetho.comparing.runs.result import RunComparison
from stetho.comparing.tensor_error import Array, error_between
from stetho.errors import RunDamaged
from stetho.store.reader import Run


def look_closely(found: RunComparison, one: Run, other: Run) -> RunComparison:
    """Run both programs again up to the first step that differs, and compare the tensors and operations of it."""
    step = found.verdict.step
    if step is None:
        return found
    with tempfile.TemporaryDirectory(prefix="stetho-compare-") as scratch:
        try:
            again = [run_again(run, step, Path(scratch) / str(side)) for side, run in enumerate((one, other))]
        except NotRunAgain as problem:
            return with_tensors(found, one, other).with_notes(str(problem))
        closer = compare_runs(*again, tolerance=found.curve.tolerance)
        notes = [*_warnings(found, closer, (one, other))]
        # What the closer look measured is of one step; the recorded runs know all of them.
        places = closer.places if closer.verdict.step == step and closer.places else found.places
        looked = with_tensors(replace(found, places=places), *again)
        operations = _operations(again[0], again[1], found.noise)
        return replace(looked, operations=operations).with_notes(*notes)


def with_tensors(found: RunComparison, one: Run, other: Run) -> RunComparison:
    """The same with errors element by element, where both runs have dumped the tensors of the step."""
    step = found.verdict.step
    if step is None or not found.places:
        return found
    mine, theirs = one.tensors(step), other.tensors(step)
    return replace(found, places=[_measured(place, mine, theirs) for place in found.places])


def _measured(place: Place, mine: Mapping[str, Array], theirs: Mapping[str, Array]) -> Place:
    # The tensors of the model itself go by the name of its class.
    keys = [
        f"{place.role}/{_renamed(place.name, layer.get('name'), number) or layer.get('class')}"
        for number, layer in enumerate((place.layer, place.other_layer))
    ]
    if place.role in ("param", "grad"):
        keys = [f"{place.role}/{place.name}"] * 2
    if keys[0] not in mine or keys[1] not in theirs:
        return place
    return replace(place, tensors=error_between(mine[keys[0]], theirs[keys[1]]))


def _renamed(name: str, layer: object, side: int) -> str:
    """A name with the path of an output behind it, under the name that its layer has on that side."""
    path = re.sub(r"^[^\[]*", "", name)
    return name if side == 0 or layer is None else f"{layer}{path}"


def _operations(one: Run, other: Run, noise: float) -> list[dict[str, object]]:
    try:
        return differing_operations(Traced(one), Traced(other), at_least=noise)
    except (FileNotFoundError, RunDamaged):
        return []


def _warnings(found: RunComparison, closer: RunComparison, runs: tuple[Run, Run]) -> list[str]:
    notes = [f"{run.name}: its program was changed after it was recorded" for run in runs if is_changed(run)]
    step = found.verdict.step or 0
    before, now = found.curve.at(step), closer.curve.at(step)
    if before is not None and now is not None and before[:2] != now[:2]:
        notes.append(
            f"run again, the losses of step {step} are {now[0]:.9g} and {now[1]:.9g}; recorded were {before[0]:.9g} and"
            f" {before[1]:.9g}: the programs do not give the same twice"
        )
    return notes
