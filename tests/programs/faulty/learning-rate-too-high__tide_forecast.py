"""Forecast the next water level from the last 30 hourly readings (GRU).

fault: learning-rate-too-high
also:
split: train
line: 45
"""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def water_level(hours, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    surge = np.zeros(hours)
    for i in range(1, hours):
        surge[i] = 0.95 * surge[i - 1] + 0.05 * rng.standard_normal()
    return 1.2 * np.sin(2 * np.pi * t / 12.42) + 0.5 * np.sin(2 * np.pi * t / 23.93 + 1) + surge


def windows(series, length):
    x = np.stack([series[i:i + length] for i in range(len(series) - length)])
    return (torch.tensor(x, dtype=torch.float32).unsqueeze(-1),
            torch.tensor(series[length:], dtype=torch.float32))


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--lr", type=float, default=0.3)
    p.add_argument("--epochs", type=int, default=10)
    args = p.parse_args()
    torch.manual_seed(0)

    series = water_level(5000, 0)
    past, future = series[:4000], series[4000:]
    mu, sd = past.mean(), past.std()
    xt, yt = windows((past - mu) / sd, 30)
    xv, yv = windows((future - mu) / sd, 30)
    loader = DataLoader(TensorDataset(xt, yt), batch_size=64, shuffle=True)

    model = Forecaster(args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    crit = nn.MSELoss()
    for epoch in range(args.epochs):
        model.train()
        run = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = crit(model(xb), yb)
            loss.backward()
            opt.step()
            run += loss.item()
        model.eval()
        with torch.no_grad():
            val = crit(model(xv), yv).item()
        print(f"epoch {epoch:2d} train mse {run / len(loader):.5f} val mse {val:.5f}")
    print(f"score (val mse) {val:.5f}")


if __name__ == "__main__":
    main()
