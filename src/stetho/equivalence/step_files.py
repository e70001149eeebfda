"""The tensors of steps as files, on their way from one process to another."""

from collections.abc import Sequence
from pathlib import Path

from stetho.equivalence.result import Step
from stetho.store.tensors import read_tensors, write_tensors


def write_steps(folder: Path, name: str, steps: Sequence[Step]) -> None:
    """Write steps down, a file for each."""
    for number, step in enumerate(steps):
        # A file of tensors has an order of its own; ours goes with the names.
        named = {f"{place} {key}": array for place, (key, array) in enumerate(step.items())}
        write_tensors(folder / f"{name}-{number}.safetensors", named)


def read_steps(folder: Path, name: str) -> list[Step]:
    """The steps as they were written, in the order of their tensors."""
    found: list[Step] = []
    while (file := folder / f"{name}-{len(found)}.safetensors").exists():
        tensors = read_tensors(file)
        order = sorted(tensors, key=lambda key: int(key.partition(" ")[0]))
        found.append({key.partition(" ")[2]: tensors[key] for key in order})
    return found
