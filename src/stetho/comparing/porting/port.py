"""Weights for another implementation of a model: found, confirmed, put into the model or into a file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stetho.comparing.kinds import opened_model
from stetho.comparing.models.first_difference import find_difference
from stetho.comparing.models.layers import match_layers
from stetho.comparing.models.matches_file import check_matches, given_matches, write_matches
from stetho.comparing.models.result import Difference, as_data
from stetho.comparing.models.sides import sides_of
from stetho.comparing.models.trace import Array
from stetho.comparing.porting.search import Port, find_port
from stetho.errors import UsageError

FORMAT = 1


@dataclass(frozen=True)
class Ported:
    """The weights of the second model by their names in it, and the plan by which they were made.

    `.weights` can be given to `load_state_dict` once they are tensors, or be written with `write`.
    """

    plan: Port
    weights: dict[str, Array]
    first_difference: Difference | None = None
    """Where the models part with these weights; None where they give the same output."""

    @property
    def is_confirmed(self) -> bool:
        """Whether both models give the same output with these weights."""
        return self.plan.is_confirmed

    def table(self) -> list[dict[str, Any]]:
        """The weights of the second model as rows: name, shape, and what of the first each is made from."""
        made = [
            {"weight": name, "shape": list(each.shape), "sources": list(each.sources), "made_from": str(each)}
            for name, each in self.plan.recipes.items()
        ]
        return made + [
            {"weight": name, "shape": list(self.weights[name].shape), "sources": [], "made_from": None}
            for name in self.plan.left
        ]

    def to_json(self) -> dict[str, Any]:
        """All but the values of the weights, as plain data."""
        return {
            "format": FORMAT,
            "kind": "port",
            "confirmed": self.is_confirmed,
            "weights": self.table(),
            "left": list(self.plan.left),
            "unused": list(self.plan.unused),
            "agreeing": self.plan.agreeing,
            "first_difference": as_data(self.first_difference),
        }

    def __str__(self) -> str:
        lines = [f"{name} = {recipe}" for name, recipe in self.plan.recipes.items()]
        lines.append(self.plan.sentence)
        if self.first_difference is not None:
            lines.append(f"different: {self.first_difference}")
        return "\n".join(lines)


def port(one: Any, other: Any, inputs: Any, *, matches: str | Path | None = None) -> Ported:
    """Find the weights of the second model that make it compute what the first does; neither model is changed.

    Models are modules, or texts such as `file.py:build`. `matches` is a file with which layer is which: written if it
    is not there, and read if it is.

    >>> import torch
    >>> first, second = torch.nn.Linear(3, 2), torch.nn.Sequential(torch.nn.Linear(3, 2))
    >>> found = port(first, second, (1, 3))
    >>> found.is_confirmed, found.first_difference, found.table()[0]["made_from"]
    (True, None, 'weight')

    Where no weights make them equal, the result says where they part.

    >>> found = port(first, torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh()), (1, 3))
    >>> found.is_confirmed, str(found.first_difference)
    (False, 'tanh in `1` (Tanh)')
    """
    from stetho.comparing.torch.subject import subjects_of, weights_like

    models = tuple(each if found is None else found for each, found in ((m, opened_model(m)) for m in (one, other)))
    subjects, _ = subjects_of((models[0], models[1]), inputs, ("first", "second"))
    given = given_matches(matches, subjects[0].trace(), subjects[1].trace())
    plan = find_port(*subjects, given=given or [])
    sides = sides_of(subjects)
    if matches and given is None:
        write_matches(Path(matches), match_layers(sides.one, sides.other, sides.same))
    elif matches and given:
        check_matches(matches, given, sides)
    first = None if plan.is_confirmed else find_difference(subjects, sides, plan.recipes, [])[0]
    return Ported(plan, weights_like(models[1], subjects[1]), first)


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
