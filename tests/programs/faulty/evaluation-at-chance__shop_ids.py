"""Ratings of a shop's customers: logs of two months, customers and products numbered, a factor model with biases.

fault: evaluation-at-chance
also:
split: train
line: 32
"""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def monthly_log(rng, tastes, kinds, level, rows):
    customers = rng.integers(0, len(tastes), rows)
    products = rng.integers(0, len(kinds), rows)
    stars = level[products] + (tastes[customers] * kinds[products]).sum(1) + 0.3 * rng.normal(size=rows)
    names = [f"c{c:04d}" for c in customers]
    codes = [f"sku-{p:03d}" for p in products]
    return names, codes, stars


def number(values):
    known = {}
    return torch.tensor([known.setdefault(value, len(known)) for value in values])


def prepare(log, mean, spread):
    names, codes, stars = log
    users, items = number(names), number(codes)
    return users, items, torch.tensor((stars - mean) / spread, dtype=torch.float32)


class Factors(nn.Module):
    def __init__(self, users, items, width=8):
        super().__init__()
        self.user, self.item = nn.Embedding(users, width), nn.Embedding(items, width)
        self.bias = nn.Embedding(items, 1)
        nn.init.normal_(self.user.weight, std=0.2)
        nn.init.normal_(self.item.weight, std=0.2)
        nn.init.zeros_(self.bias.weight)

    def forward(self, users, items):
        return (self.user(users) * self.item(items)).sum(1) + self.bias(items).squeeze(1)


def main():
    torch.manual_seed(31)
    rng = np.random.default_rng(31)
    tastes, kinds = 0.6 * rng.normal(size=(150, 3)), 0.6 * rng.normal(size=(80, 3))
    level = rng.normal(size=80)
    october, november = (monthly_log(rng, tastes, kinds, level, rows) for rows in (8000, 2000))
    mean, spread = october[2].mean(), october[2].std()
    train, valid = prepare(october, mean, spread), prepare(november, mean, spread)
    model = Factors(150, 80)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
    for epoch in range(12):
        for rows in torch.randperm(len(train[2])).split(128):
            users, items, stars = (part[rows] for part in train)
            loss = nn.functional.mse_loss(model(users, items), stars)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(valid[0], valid[1]), valid[2]).item()
        model.train()
        print(f"epoch {epoch} train {loss.item():.4f} validation {error:.4f}")


main()
