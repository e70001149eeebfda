from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

X, Y = torch.randn(60, 4, generator=torch.Generator().manual_seed(0)), torch.arange(60) % 3


def weights() -> list[Tensor]:
    return [torch.randn(4, 8).requires_grad_(), torch.randn(8, 3).requires_grad_(), torch.zeros(3).requires_grad_()]


def net(x: Tensor, first: Tensor, second: Tensor, bias: Tensor) -> Tensor:
    return torch.relu(x @ first) @ second + bias


def rows(run: Any, phase: str) -> list[dict[str, Any]]:
    return [row for row in run.table("batches").to_pylist() if row["phase"] == phase]


def test_a_function_of_parameters_has_batches_labels_and_evaluations(record: Any) -> None:
    parameters = weights()
    optimizer = torch.optim.SGD(parameters, lr=0.1)

    def program() -> None:
        for _ in range(3):
            loss = functional.cross_entropy(net(X, *parameters), Y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            with torch.no_grad():
                answers = net(X[:40], *parameters).argmax(1)
                (answers == Y[:40]).float().mean()

    run = record(program)
    train, evaluated = rows(run, "train"), rows(run, "eval")
    assert [(row["step"], row["shape"], row["loss_call"]) for row in train] == [
        (step, [60, 4], "cross_entropy") for step in (1, 2, 3)
    ]
    assert [(row["size"], row["counted"]) for row in evaluated] == [(40, 40)] * 3
    assert train[0]["label_counts"] == [20, 20, 20]


def test_updates_and_losses_by_hand_are_seen_as_well(record: Any) -> None:
    parameters = weights()

    def program() -> None:
        for _ in range(4):
            loss = ((net(X, *parameters) - X[:, :3]) ** 2).mean()
            for parameter, gradient in zip(parameters, torch.autograd.grad(loss, parameters), strict=True):
                parameter.data -= 0.01 * gradient

    run = record(program)
    assert [row["loss_call"] for row in rows(run, "train")] == ["hand_written_difference"] * 4
    assert run.model["losses"][0]["target"] == "float32[60, 3]"


def test_modules_go_before(record: Any) -> None:
    model, weight = torch.nn.Linear(4, 3), torch.ones(3).requires_grad_()
    optimizer = torch.optim.SGD([*model.parameters(), weight], lr=0.1)

    def program() -> None:
        for _ in range(3):
            loss = functional.cross_entropy(model(X) * weight, Y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    assert [row["model"] for row in rows(record(program), "train")] == [0, 0, 0]
