"""A table model with an embedding per categorical column that predicts the price of a used car.

fault: unregistered-layer
also: optimizer-missing-parameters
split: test
line: 28
"""

from dataclasses import dataclass

import torch
from torch import nn

COLUMNS = {"maker": 30, "colour": 12, "town": 50, "dealer": 40}


@dataclass
class Settings:
    width: int = 2
    batch: int = 64
    steps: int = 500
    lr: float = 1e-2


class CarPrice(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.tables = {name: nn.Embedding(size, settings.width) for name, size in COLUMNS.items()}
        self.mlp = nn.Sequential(nn.Linear(len(COLUMNS) * settings.width + 1, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, categories, age):
        columns = [self.tables[name](categories[name]) for name in COLUMNS]
        return self.mlp(torch.cat([*columns, age], 1))


def make_cars(count):
    worth = {name: torch.randn(size) for name, size in COLUMNS.items()}
    categories = {name: torch.randint(0, size, (count,)) for name, size in COLUMNS.items()}
    age = torch.rand(count, 1) * 2 - 1
    price = sum(worth[name][categories[name]] for name in COLUMNS) / 2 - age[:, 0]
    return categories, age, price.unsqueeze(1)


def run(settings):
    categories, age, price = make_cars(4000)
    model = CarPrice(settings)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=settings.lr, momentum=0.5)
    criterion = nn.HuberLoss()
    for step in range(settings.steps):
        rows = torch.randint(0, 3500, (settings.batch,))
        loss = criterion(model({k: v[rows] for k, v in categories.items()}, age[rows]), price[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            with torch.no_grad():
                guess = model({k: v[3500:] for k, v in categories.items()}, age[3500:])
                r2 = 1 - ((guess - price[3500:]) ** 2).mean() / price[3500:].var()
            print(f"step {step + 1}: loss {loss.item():.4f}, validation R2 {r2.item():.3f}")


torch.set_num_threads(1)
torch.manual_seed(17)
run(Settings())
