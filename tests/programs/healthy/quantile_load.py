"""Quantiles of the load of a power grid.

split: test
"""

import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    days: int = 300
    quantiles: tuple = (0.1, 0.5, 0.9)
    width: int = 64
    batch: int = 128
    epochs: int = 14
    lr: float = 2e-3
    seed: int = 23


def build(cfg):
    hours = torch.arange(cfg.days * 24).float()
    tod, week = hours % 24 / 24, hours % 168 / 168
    temp = torch.sin(2 * math.pi * hours / (24 * 365)) + 0.3 * torch.randn(len(hours))
    load = 2 + torch.sin(2 * math.pi * tod) + 0.4 * torch.cos(2 * math.pi * week) + 0.5 * temp ** 2
    load = load + torch.randn(len(hours)) * (0.15 + 0.5 * (tod - 0.5).abs())
    x = torch.stack([f(2 * math.pi * k * v) for v in (tod, week) for k in (1, 2)
                     for f in (torch.sin, torch.cos)] + [temp], dim=1)
    return x, load.unsqueeze(1)


class QuantileNet(nn.Module):
    def __init__(self, d_in, width, n_q):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.first = nn.Linear(width, 1)
        self.gaps = nn.Linear(width, n_q - 1)

    def forward(self, x):
        h = self.trunk(x)
        gaps = nn.functional.softplus(self.gaps(h))
        return self.first(h) + torch.cat([torch.zeros_like(gaps[:, :1]), gaps.cumsum(1)], dim=1)


class Pinball(nn.Module):
    def __init__(self, quantiles):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))

    def forward(self, pred, y):
        err = y - pred
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()


def main(cfg=Config()):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    x, y = build(cfg)
    order = torch.randperm(len(x))
    tr, te = order[: int(0.8 * len(x))], order[int(0.8 * len(x)):]
    mx, sx, my, sy = x[tr].mean(0), x[tr].std(0), y[tr].mean(), y[tr].std()
    x, y = (x - mx) / sx, (y - my) / sy
    loader = DataLoader(TensorDataset(x[tr], y[tr]), batch_size=cfg.batch, shuffle=True)
    model, loss_fn = QuantileNet(x.size(1), cfg.width, len(cfg.quantiles)), Pinball(cfg.quantiles)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg.lr * 2, total_steps=cfg.epochs * len(loader))
    for epoch in range(cfg.epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            sched.step()
            total += loss.item() * len(xb)
        model.eval()
        with torch.no_grad():
            pred = model(x[te])
            cover = (y[te] <= pred).float().mean(0).tolist()
            val = loss_fn(pred, y[te]).item()
        print(f"epoch {epoch:2d} pinball {total / len(tr):.4f} test {val:.4f} coverage",
              " ".join(f"{c:.3f}" for c in cover))


if __name__ == "__main__":
    main()
