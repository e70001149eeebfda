"""A model that returns a dataclass, with settings in a dataclass too.

split: train
"""

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    inputs: int = 12
    hidden: int = 24
    classes: int = 4
    steps: int = 30
    learning_rate: float = 1e-2
    seed: int = 12


@dataclass
class Prediction:
    logits: Tensor
    confidence: Tensor
    aux: Tensor | None = None


class Model(nn.Module):
    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.body = nn.Linear(settings.inputs, settings.hidden)
        self.classify = nn.Linear(settings.hidden, settings.classes)
        self.judge = nn.Linear(settings.hidden, 1)

    def forward(self, x: Tensor) -> Prediction:
        hidden = self.body(x).tanh()
        return Prediction(logits=self.classify(hidden), confidence=self.judge(hidden).sigmoid())


def train(settings: Settings) -> None:
    torch.manual_seed(settings.seed)
    model = Model(settings)
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    for _ in range(settings.steps):
        x = torch.randn(32, settings.inputs)
        y = x[:, : settings.classes].argmax(dim=1)
        prediction = model(x)
        right = (prediction.logits.argmax(1) == y).float().unsqueeze(1)
        loss = nn.functional.cross_entropy(prediction.logits, y)
        loss = loss + 0.1 * nn.functional.binary_cross_entropy(prediction.confidence, right)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"loss {loss.item()!r}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    train(Settings())
