"""Tests of the names that a program gives to its models."""

import sys
from dataclasses import dataclass

from torch import nn

from stetho.inspect.torch.model_names import models_in_sight


@dataclass
class Trainer:
    """Holds a model, as many programs do."""

    student: nn.Module


def names() -> list[str]:
    return [name for _, name in models_in_sight(sys._getframe(1))]


def test_variables_and_objects_name_models_and_parts_are_none() -> None:
    critic = nn.Linear(2, 1)
    trainer = Trainer(nn.Sequential(nn.Linear(2, 2)))
    both = {"left": nn.Linear(3, 3)}
    layer, loss = trainer.student[0], nn.MSELoss()  # type: ignore[index]
    assert names() == ["critic", "trainer.student", "both.left"]
    assert layer is not loss is not critic is not both
