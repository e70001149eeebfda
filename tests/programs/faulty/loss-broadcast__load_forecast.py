"""One-step-ahead forecast of an hourly load curve with a GRU and a log-cosh loss.

fault: loss-broadcast
also:
split: test
line: 67
"""
import math

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

WINDOW = 24


def load_series(hours=3000, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    daily = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(4 * np.pi * t / 24 + 0.7)
    weekly = 0.5 * np.sin(2 * np.pi * t / 168)
    drift = np.zeros(hours)
    for i in range(1, hours):
        drift[i] = 0.9 * drift[i - 1] + 0.12 * rng.normal()
    return 50 + 12 * (daily + weekly + drift)


def windows(series):
    x = np.lib.stride_tricks.sliding_window_view(series, WINDOW)[:-1]
    y = series[WINDOW:]
    return torch.tensor(x.copy(), dtype=torch.float32).unsqueeze(-1), torch.tensor(y, dtype=torch.float32)


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        _, h = self.gru(x)
        return self.out(h[-1])


def log_cosh(pred, target):
    err = pred - target
    return (err + nn.functional.softplus(-2 * err) - math.log(2)).mean()


def main():
    torch.manual_seed(2)
    series = load_series()
    split = int(0.8 * len(series))
    mean, std = series[:split].mean(), series[:split].std()
    scaled = (series - mean) / std
    x_train, y_train = windows(scaled[:split])
    x_test, y_test = windows(scaled[split:])
    loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)

    model = Forecaster()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-4)
    for epoch in range(10):
        model.train()
        losses = []
        for xb, yb in loader:
            pred = model(xb)
            loss = log_cosh(pred, yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1:2d} loss {np.mean(losses):.4f}")

    model.eval()
    with torch.no_grad():
        pred = model(x_test).squeeze(-1)
    mae = (pred - y_test).abs().mean().item() * std
    r2 = 1 - ((pred - y_test) ** 2).sum().item() / ((y_test - y_test.mean()) ** 2).sum().item()
    print(f"test MAE {mae:.3f} MW   R2 {r2:.4f}")


if __name__ == "__main__":
    main()
