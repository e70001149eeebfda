"""Forecast of demand from windows of a day.

fault: future-visible
also: 
split: train
line: 40
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


@dataclass
class Config:
    window: int = 24
    hidden: int = 24
    epochs: int = 10
    batch: int = 64
    lr: float = 5e-3


def demand(n=1500, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    level = np.zeros(n)
    for i in range(1, n):
        level[i] = 0.8 * level[i - 1] + rng.normal(0, 0.5)
    series = 10 + 3 * np.sin(2 * np.pi * t / 24) + level
    return series


def make_windows(series, cfg):
    xs, ys = [], []
    for i in range(len(series) - cfg.window - 1):
        xs.append(series[i + 1:i + cfg.window + 1])
        ys.append(series[i + cfg.window])
    xs = torch.tensor(np.array(xs), dtype=torch.float32).unsqueeze(-1)
    return xs, torch.tensor(np.array(ys), dtype=torch.float32)


class Forecaster(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.rnn = nn.GRU(1, cfg.hidden, batch_first=True)
        self.out = nn.Linear(cfg.hidden, 1)

    def forward(self, x):
        h, _ = self.rnn(x)
        return self.out(h[:, -1]).squeeze(-1)


cfg = Config()
torch.manual_seed(0)
series = demand()
mu, sigma = series[:1100].mean(), series[:1100].std()
series = (series - mu) / sigma
X, Y = make_windows(series, cfg)
Xtr, Ytr, Xva, Yva = X[:1100], Y[:1100], X[1124:], Y[1124:]
model = Forecaster(cfg)
opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
mse = nn.MSELoss()
for epoch in range(cfg.epochs):
    model.train()
    perm = torch.randperm(len(Xtr))
    for b in perm.split(cfg.batch):
        opt.zero_grad()
        loss = mse(model(Xtr[b]), Ytr[b])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        val = mse(model(Xva), Yva).item()
    print(f"epoch {epoch}: train {loss.item():.4f} validation {val:.4f}")

live = torch.tensor(series, dtype=torch.float32)
with torch.no_grad():
    errors = []
    for now in range(1200, 1480):
        known = live[now - cfg.window:now].view(1, -1, 1)
        errors.append((model(known) - live[now]).item() ** 2)
print(f"live forecast mse {np.mean(errors):.4f} (naive: {((live[1200:1480] - live[1199:1479]) ** 2).mean():.4f})")
