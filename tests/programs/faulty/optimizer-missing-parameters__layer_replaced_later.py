"""A regression model whose hidden block is made wider for this data set before training.

fault: optimizer-missing-parameters
also:
split: train
line: 54
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regressor(nn.Module):
    def __init__(self, features, width=16):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(features, width), nn.ReLU())
        self.output = nn.Linear(width, 1)

    def forward(self, x):
        return self.output(self.hidden(x))


def widen(model, features, width):
    model.hidden = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, 16), nn.ReLU())
    return model


def make_data(count):
    x = torch.rand(count, 5) * 2 - 1
    y = torch.sin(3 * x[:, 0] * x[:, 1]) + 2 * (x[:, 2] - 0.3) ** 2 + x[:, 3] - x[:, 4] ** 2
    return TensorDataset(x, ((y - y.mean()) / y.std()).unsqueeze(1))


def fit(model, optimizer, loader, epochs):
    for epoch in range(epochs):
        total, seen = 0.0, 0
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.smooth_l1_loss(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
            seen += len(x)
        print(f"epoch {epoch:2d}: smooth l1 {total / seen:.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(13)
    loader = DataLoader(make_data(1500), batch_size=50, shuffle=True)
    model = Regressor(5)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    model = widen(model, 5, 64)
    fit(model, optimizer, loader, epochs=12)
