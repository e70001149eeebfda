"""One trunk, five regression heads: joint prediction of several quality measures.

fault: weights-shared-by-accident
also:
split: train
line: 28
"""
from dataclasses import dataclass
import numpy as np
import torch
from torch import nn


@dataclass
class Config:
    n_tasks: int = 5
    width: int = 48
    lr: float = 3e-3
    epochs: int = 20
    batch: int = 64
    seed: int = 41


class MultiTaskNet(nn.Module):
    def __init__(self, d_in, cfg):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, cfg.width), nn.ReLU(), nn.Linear(cfg.width, cfg.width), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(cfg.width, 1)] * cfg.n_tasks)

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([head(h) for head in self.heads], dim=1)


def build_data(cfg):
    g = np.random.default_rng(cfg.seed)
    x = g.normal(size=(1500, 12))
    w = g.normal(size=(12, cfg.n_tasks)) / np.sqrt(12)
    y = np.tanh(x @ w) + 0.5 * (x @ g.normal(size=(12, cfg.n_tasks)) / np.sqrt(12)) + 0.1 * g.normal(size=(1500, cfg.n_tasks))
    y = (y - y[:1200].mean(0)) / y[:1200].std(0)
    f = lambda a: torch.tensor(a, dtype=torch.float32)
    return f(x[:1200]), f(y[:1200]), f(x[1200:]), f(y[1200:])


def run(cfg):
    torch.manual_seed(cfg.seed)
    torch.set_num_threads(1)
    xtr, ytr, xva, yva = build_data(cfg)
    net = MultiTaskNet(xtr.size(1), cfg)
    opt = torch.optim.NAdam(net.parameters(), lr=cfg.lr)
    mse = nn.MSELoss()
    for e in range(cfg.epochs):
        for i in torch.randperm(len(xtr)).split(cfg.batch):
            opt.zero_grad()
            loss = mse(net(xtr[i]), ytr[i])
            loss.backward()
            opt.step()
        if e % 5 == 4:
            with torch.no_grad():
                r2 = 1 - (net(xva) - yva).pow(2).sum(0) / (yva - yva.mean(0)).pow(2).sum(0)
            print(f"epoch {e + 1} train {loss.item():.3f} R2 per task {[round(v, 2) for v in r2.tolist()]} mean {r2.mean():.4f}")


run(Config())
