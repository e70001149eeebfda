"""A GRU that predicts the next value of noisy waves, with a DataLoader and Adam.

fault: gradients-not-zeroed
also:
split: train
line: 55, 51
"""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, series):
        states, _ = self.gru(series)
        return self.out(states[:, -1])


def make_waves(count, length=24):
    t = torch.arange(length + 1).float()
    frequency = torch.rand(count, 1) * 0.4 + 0.1
    phase = torch.rand(count, 1) * 2 * math.pi
    waves = torch.sin(frequency * t + phase) + 0.05 * torch.randn(count, length + 1)
    return waves[:, :-1].unsqueeze(-1), waves[:, -1:]


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        error = F.mse_loss(model(x), y).item()
    model.train()
    return error


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    loader = DataLoader(TensorDataset(*make_waves(1200)), batch_size=32, shuffle=True)
    x_val, y_val = make_waves(300)
    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    optimizer.zero_grad()
    for epoch in range(8):
        for x, y in loader:
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} train {loss.item():.4f} val {evaluate(model, x_val, y_val):.4f}")


if __name__ == "__main__":
    main()
