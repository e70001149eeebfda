"""A network that smooths its hidden signal with a moving average before it predicts the trend.

fault: graph-cut
also:
split: train
line: 18
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

KERNEL = np.ones(3, dtype=np.float32) / 3


def smooth(signal):
    rows = [np.convolve(row, KERNEL, mode="same") for row in signal.detach().numpy()]
    return torch.from_numpy(np.stack(rows))


class TrendNet(nn.Module):
    def __init__(self, length, width=32):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(length, 8), nn.Tanh(), nn.Linear(8, width))
        self.decode = nn.Sequential(nn.ReLU(), nn.Linear(width, 1))

    def forward(self, series):
        return self.decode(smooth(self.encode(series)))


def make_series(count, length=30):
    steps = torch.randn(count, length)
    series = steps.cumsum(1) / length**0.5
    target = torch.tanh(series[:, -1:] * 2) + series[:, 10:11] * series[:, 20:21]
    return series, target


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    loader = DataLoader(TensorDataset(*make_series(1600)), batch_size=64, shuffle=True)
    x_val, y_val = make_series(400)
    model = TrendNet(30)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.MSELoss()
    for epoch in range(14):
        total = 0.0
        for series, target in loader:
            loss = criterion(model(series), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        with torch.no_grad():
            val = criterion(model(x_val), y_val).item()
        print(f"epoch {epoch:2d} train {total / len(loader):.4f} val {val:.4f}")


if __name__ == "__main__":
    main()
