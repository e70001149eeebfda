"""Four smooth functions of ten numbers, a head for each, with a one-cycle schedule.

split: train
"""

from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    tasks: int = 4
    width: int = 48
    steps: int = 600
    batch: int = 64
    lr: float = 3e-3
    seed: int = 13


class MultiTask(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, cfg.width), nn.SiLU(), nn.Linear(cfg.width, cfg.width), nn.SiLU())
        self.heads = nn.ModuleList([nn.Linear(cfg.width, 1) for _ in range(cfg.tasks)])

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([head(h) for head in self.heads], dim=1)


def world(seed):
    g = torch.Generator().manual_seed(seed)
    a = torch.randn(10, 4, generator=g) / 3
    b = torch.randn(10, 4, generator=g) / 3

    def sample(n):
        x = torch.randn(n, 10)
        y = torch.sin(1.2 * x @ a) + (x @ b).tanh()
        return x, (y - y.mean(0)) / y.std(0)

    return sample


def train(cfg):
    torch.manual_seed(cfg.seed)
    sample = world(99)
    x, y = sample(4000)
    xv, yv = sample(800)
    model = MultiTask(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr * 2, total_steps=cfg.steps)
    for step in range(cfg.steps):
        idx = torch.randint(0, len(x), (cfg.batch,))
        loss = F.mse_loss(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if (step + 1) % 100 == 0:
            with torch.no_grad():
                r2 = 1 - ((model(xv) - yv) ** 2).mean(0)
            print(f"{step + 1}: loss {loss.item():.3f} r2 per task", [round(v, 2) for v in r2.tolist()])


train(Config())
