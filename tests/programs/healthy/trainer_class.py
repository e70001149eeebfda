"""Everything inside a class: the loop is a method, a step is another method, the model is an attribute.

split: train
"""

import argparse
import random
from typing import Any

import torch


class Trainer:
    def __init__(self, model: torch.nn.Module, steps: int, **optimizer_options: Any) -> None:
        self.model = model
        self.steps = steps
        self.optimizer = torch.optim.NAdam(model.parameters(), **optimizer_options)
        self.history: list[float] = []

    def fit(self, data: list[tuple[torch.Tensor, torch.Tensor]]) -> "Trainer":
        while len(self.history) < self.steps:
            self.history.append(self.training_step(*random.choice(data)))
            print(f"step {len(self.history)} loss {self.history[-1]!r}")
        return self

    def training_step(self, x: torch.Tensor, y: torch.Tensor) -> float:
        def update() -> torch.Tensor:
            self.optimizer.zero_grad()
            loss = self.compute_loss(x, y)
            loss.backward()
            self.optimizer.step()
            return loss

        return update().item()

    def compute_loss(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.l1_loss(self.model(x), y)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--seed", type=int, default=20)
    options = parser.parse_args()
    random.seed(options.seed)
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    model = torch.nn.Sequential(torch.nn.Linear(5, 20), torch.nn.ELU(), torch.nn.Linear(20, 1))
    data = []
    for _ in range(8):
        x = torch.randn(16, 5)
        data.append((x, x.pow(2).mean(1, keepdim=True)))
    Trainer(model, options.steps, lr=2e-3).fit(data)


if __name__ == "__main__":
    main()
