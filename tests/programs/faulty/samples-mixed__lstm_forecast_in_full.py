"""A series is forecast by a recurrent network.

fault: samples-mixed
also:
split: test
line: 40, 44, 45
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LOOKBACK = 36
HORIZON = 6


def load_curve(n=2400, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    day = np.sin(2 * np.pi * t / 24)
    half = 0.6 * np.sin(2 * np.pi * t / 12 + 1.0)
    week = 0.5 * np.sin(2 * np.pi * t / 168)
    noise = np.zeros(n)
    for i in range(1, n):
        noise[i] = 0.6 * noise[i - 1] + 0.08 * rng.normal()
    return (50 + 12 * (day + half + week + noise)).astype(np.float32)


def windows(series):
    n = len(series) - LOOKBACK - HORIZON + 1
    x = np.stack([series[i:i + LOOKBACK] for i in range(n)])
    y = np.stack([series[i + LOOKBACK:i + LOOKBACK + HORIZON] for i in range(n)])
    return TensorDataset(torch.from_numpy(x).unsqueeze(-1), torch.from_numpy(y))


class Forecaster(nn.Module):
    def __init__(self, hidden=32, layers=1):
        super().__init__()
        self.rnn = nn.LSTM(input_size=1, hidden_size=hidden, num_layers=layers)
        self.proj = nn.Linear(hidden, HORIZON)

    def forward(self, x):
        out, _ = self.rnn(x)
        return self.proj(out[:, -1])


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def should_stop(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad > self.patience


@torch.no_grad()
def validation_mse(model, loader):
    model.eval()
    errs = [((model(x) - y) ** 2).flatten() for x, y in loader]
    return torch.cat(errs).mean().item()


def main():
    torch.manual_seed(8)
    series = load_curve(seed=8)
    cut = 1900
    mean, std = series[:cut].mean(), series[:cut].std()
    series = (series - mean) / std
    train_loader = DataLoader(windows(series[:cut]), batch_size=64, shuffle=True, drop_last=True)
    val_loader = DataLoader(windows(series[cut:]), batch_size=64, shuffle=False)

    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.MSELoss()
    stopper = EarlyStopping(patience=8)
    for epoch in range(25):
        model.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        val = validation_mse(model, val_loader)
        if epoch % 4 == 0:
            print(f"epoch {epoch:2d} train {total / len(train_loader):.4f} val {val:.4f}")
        if stopper.should_stop(val):
            break
    print(f"final validation MSE (standardised, lower is better): {validation_mse(model, val_loader):.4f}")


if __name__ == "__main__":
    main()
