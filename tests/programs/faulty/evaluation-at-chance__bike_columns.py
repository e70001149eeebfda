"""Bike rentals by weather and hour: a regression on a table that is read as columns, trained with a DataLoader.

fault: evaluation-at-chance
also:
split: train
line: 36
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def records(count, generator):
    hour = torch.randint(0, 24, (count,), generator=generator).float()
    table = {
        "warmth": torch.randn(count, generator=generator),
        "wind": torch.randn(count, generator=generator),
        "rain": torch.randn(count, generator=generator),
        "morning": torch.exp(-((hour - 8) ** 2) / 6) * 3 - 0.7,
        "evening": torch.exp(-((hour - 18) ** 2) / 8) * 3 - 0.8,
        "humidity": torch.randn(count, generator=generator),
    }
    rented = 1.4 * table["warmth"] - 0.9 * table["rain"] + 1.1 * table["morning"] + 0.8 * table["evening"]
    rented = rented - 0.5 * table["warmth"] * table["rain"] + 0.2 * torch.randn(count, generator=generator)
    return table, rented / 2


class Rentals:
    def __init__(self, batch):
        generator = torch.Generator().manual_seed(77)
        table, rented = records(2400, generator)
        other, wanted = records(600, generator)
        names = list(table)
        self.train = TensorDataset(torch.stack([table[name] for name in names], 1), rented)
        self.valid = TensorDataset(torch.stack([other[name] for name in sorted(other)], 1), wanted)
        self.batch = batch

    def loaders(self):
        return DataLoader(self.train, self.batch, shuffle=True), DataLoader(self.valid, 200)


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        errors = [(model(x).squeeze(1) - y).pow(2) for x, y in loader]
    model.train()
    return torch.cat(errors).mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    train, valid = Rentals(64).loaders()
    model = nn.Sequential(nn.Linear(6, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(12):
        total = 0.0
        for x, y in train:
            loss = nn.functional.mse_loss(model(x).squeeze(1), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} train {total / len(train):.4f} validation {evaluate(model, valid):.4f}")
