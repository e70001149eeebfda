"""Weights for another implementation of a model: found, confirmed, put into the model or into a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stetho.comparing.models.trace import Array
from stetho.comparing.porting.search import Port, find_port
from stetho.errors import UsageError


@dataclass(frozen=True)
class Ported:
    """The weights of the second model by their names in it, and the plan by which they were made.

    `.weights` can be given to `load_state_dict` once they are tensors, or be written with `write`.
    """

    plan: Port
    weights: dict[str, Array]

    @property
    def is_confirmed(self) -> bool:
        """Whether both models give the same output with these weights."""
        return self.plan.is_confirmed


def port(one: Any, other: Any, inputs: Any) -> Ported:
    """Find the weights of the second model that make it compute what the first does; neither model is changed.

    >>> import torch
    >>> first, second = torch.nn.Linear(3, 2), torch.nn.Sequential(torch.nn.Linear(3, 2))
    >>> found = port(first, second, (1, 3))
    >>> found.is_confirmed, str(found.plan.recipes["0.weight"])
    (True, 'weight')
    """
    from stetho.comparing.torch.subject import subjects_of, weights_like

    subjects, _ = subjects_of((one, other), inputs, ("first", "second"))
    plan = find_port(*subjects)
    return Ported(plan, weights_like(other, subjects[1]))


def fill(model: Any, file: str | Path) -> None:
    """Put the tensors of a checkpoint of any format into a model, by their names."""
    from stetho.checkpoints.opening import open_checkpoint
    from stetho.comparing.torch.subject import put

    checkpoint = open_checkpoint(file)
    put(model, {name: tensor.read() for name, tensor in checkpoint.items()}, str(file))


def write(ported: Ported, file: Path) -> None:
    """Write the weights as safetensors; what stands in the file is replaced once all is written."""
    from safetensors import SafetensorError
    from safetensors.numpy import save_file

    beside = file.with_name(f".{file.name}.part")
    try:
        save_file(ported.weights, beside, metadata={"format": "pt"})
        beside.replace(file)
    except (OSError, SafetensorError) as error:
        beside.unlink(missing_ok=True)
        raise UsageError(f"{file}: cannot be written ({error}); choose another place") from None
