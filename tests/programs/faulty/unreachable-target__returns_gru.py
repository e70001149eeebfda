"""Standardised returns of a series.

fault: unreachable-target
also: output-activation
split: test
line: 18, 22
"""

import numpy as np
import torch
import torch.nn as nn


class SeriesGRU(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Sequential(nn.Linear(hidden, 16), nn.ReLU(), nn.Linear(16, 1), nn.ReLU())

    def forward(self, x):
        _, h = self.gru(x)
        return self.out(h[-1]).squeeze(-1)


def load_series(n=1600, seed=3):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    s = 20 + 6 * np.sin(2 * np.pi * t / 30) + 3 * np.cos(2 * np.pi * t / 11) + rng.normal(0, 0.5, n)
    return s.astype(np.float32)


def make_windows(s, w):
    X = np.stack([s[i:i + w] for i in range(len(s) - w)])
    y = s[w:]
    return torch.from_numpy(X).unsqueeze(-1), torch.from_numpy(y)


def fit(model, X, y, epochs=15, lr=5e-3, batch=64):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    huber = nn.HuberLoss()
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(X)).split(batch):
            opt.zero_grad()
            loss = huber(model(X[idx]), y[idx])
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1:2d} huber {total / len(X):.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    s = load_series()
    cut = 1200
    mu, sd = s[:cut].mean(), s[:cut].std()
    z = (s - mu) / sd
    Xa, ya = make_windows(z[:cut], 20)
    Xb, yb = make_windows(z[cut:], 20)
    net = SeriesGRU()
    fit(net, Xa, ya)
    net.eval()
    with torch.no_grad():
        pred = net(Xb)
    rmse = ((pred - yb) * float(sd)).pow(2).mean().sqrt().item()
    r2 = 1 - (pred - yb).pow(2).mean().item() / yb.var().item()
    print(f"test RMSE {rmse:.3f} (std of series {sd:.3f}) R2 {r2:.3f}")
