"""Prices of houses from their size, age, rooms, distance and the income of the neighbourhood.

fault: features-of-different-scale
also: input-not-scaled
split: train
line: 43
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


def survey(count, seed=0):
    rng = np.random.default_rng(seed)
    rooms = rng.integers(1, 8, count)
    age = rng.uniform(0, 1, count)
    distance = rng.exponential(0.5, count)
    population = rng.uniform(1000, 40000, count)
    income = rng.normal(50000, 12000, count)
    price = 0.3 * rooms - 0.9 * age - 0.8 * np.tanh(distance * 2) + 0.3 * (income - 50000) / 12000
    features = np.stack([rooms, age, distance, population, income], axis=1)
    target = (price - price.mean()) / price.std() + 0.1 * rng.normal(size=count)
    return features.astype(np.float32), target.astype(np.float32)


class PriceModel(nn.Module):
    def __init__(self, inputs, width=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.price = nn.Linear(width, 1)

    def forward(self, x):
        return self.price(self.body(x)).squeeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(210)
    features, prices = survey(2000)
    dataset = TensorDataset(torch.from_numpy(features), torch.from_numpy(prices))
    train, valid = random_split(dataset, [1600, 400])
    loader = DataLoader(train, batch_size=64, shuffle=True)
    model = PriceModel(5)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(12):
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            x, y = valid[:]
            r2 = 1 - F.mse_loss(model(x), y) / y.var()
        print(f"epoch {epoch} train {loss.item():.4f} valid R2 {r2.item():.3f}")


if __name__ == "__main__":
    main()
