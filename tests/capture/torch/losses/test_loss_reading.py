from typing import Any

import torch
from torch import nn
from torch.nn import functional


def test_weights_of_classes_are_recorded(record: Any) -> None:
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    weight = torch.tensor([1.0, 0.0, 2.0])

    def program() -> None:
        for _ in range(4):
            labels = torch.randint(0, 3, (32,))
            each = functional.cross_entropy(model(torch.randn(32, 4)), labels, reduction="none")
            optimizer.zero_grad()
            (each * weight[labels]).mean().backward()
            optimizer.step()

    assert record(program, model, optimizer).model["probes"]["class_weights"]["weights"] == [1.0, 0.0, 2.0]
