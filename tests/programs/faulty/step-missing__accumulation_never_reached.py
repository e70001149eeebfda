"""A regression of house prices with gradient accumulation over micro-batches.

fault: step-missing
also:
split: train
line: 33
"""

import torch
from torch import nn

BATCH = 32
ACCUMULATE = 64


def make_houses(count):
    """Income, age, rooms, bedrooms, occupancy, latitude, longitude, distance: all standardised."""
    x = torch.randn(count, 8)
    price = 1.2 * x[:, 0] + 0.4 * x[:, 2] - 0.5 * x[:, 3].abs() + 0.6 * torch.sin(2 * x[:, 5]) * x[:, 6]
    price = price + 0.1 * torch.randn(count)
    return x, ((price - price.mean()) / price.std()).unsqueeze(1)


def train(model, optimizer, x, y, epochs):
    criterion = nn.MSELoss()
    for epoch in range(epochs):
        optimizer.zero_grad()
        total = 0.0
        for number, rows in enumerate(torch.randperm(len(x)).split(BATCH)):
            loss = criterion(model(x[rows]), y[rows])
            (loss / ACCUMULATE).backward()
            total += loss.item()
            if (number + 1) % ACCUMULATE == 0:
                optimizer.step()
                optimizer.zero_grad()
        print(f"epoch {epoch}: mse {total / (number + 1):.4f}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(7)
    x, y = make_houses(1600)
    model = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 32), nn.Tanh(), nn.Linear(32, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    train(model, optimizer, x, y, epochs=12)


main()
