"""Quantile regression (10 %, 50 %, 90 %) of hourly demand with changing spread.

split: train
"""
import numpy as np
import torch
import torch.nn as nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def demand(n, seed):
    rng = np.random.default_rng(seed)
    hour = rng.uniform(0, 24, n)
    temp = rng.normal(12, 7, n)
    level = 5 + 2 * np.sin(hour / 24 * 2 * np.pi) + 0.004 * (temp - 15) ** 2
    spread = 0.3 + 0.5 * (np.cos(hour / 24 * 2 * np.pi) > 0)
    y = level + spread * rng.standard_normal(n)
    x = np.c_[np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi), (temp - 12) / 7]
    return torch.tensor(x, dtype=torch.float32), torch.tensor((y - 5.3) / 1.6, dtype=torch.float32)


class QuantileNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU())
        self.low, self.gaps = nn.Linear(48, 1), nn.Linear(48, 2)

    def forward(self, x):
        h = self.body(x)
        steps = nn.functional.softplus(self.gaps(h))          # quantiles cannot cross
        return torch.cat([self.low(h), self.low(h) + steps.cumsum(1)], 1)


def pinball(pred, y):
    err = y[:, None] - pred
    return torch.maximum(QUANTILES * err, (QUANTILES - 1) * err).mean()


torch.manual_seed(15)
x, y = demand(8000, 0)
xv, yv = demand(2000, 1)
model = QuantileNet()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 15)
for epoch in range(15):
    for idx in torch.randperm(len(x)).split(128):
        loss = pinball(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    sched.step()
    with torch.no_grad():
        q = model(xv)
        cover = (yv[:, None] < q).float().mean(0)
        val = pinball(q, yv).item()
    if epoch % 3 == 2:
        print(f"epoch {epoch:2d} val pinball {val:.4f} coverage {[round(c, 3) for c in cover.tolist()]}")
print(f"score (pinball) {val:.4f}")
