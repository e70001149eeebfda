"""Progression of diabetes is predicted.

fault: target-not-scaled
also: 
split: test
line: 35
"""

from dataclasses import dataclass

import numpy as np
import torch
from sklearn.datasets import load_diabetes
from sklearn.metrics import r2_score
from torch import nn


@dataclass
class Config:
    hidden: int = 32
    lr: float = 1e-3
    epochs: int = 40
    batch: int = 32
    seed: int = 3


def get_data(cfg):
    X, y = load_diabetes(return_X_y=True)
    rng = np.random.default_rng(cfg.seed)
    order = rng.permutation(len(X))
    cut = int(0.8 * len(X))
    tr, te = order[:cut], order[cut:]
    mu, sd = X[tr].mean(0), X[tr].std(0)
    X = (X - mu) / sd
    t = lambda a: torch.from_numpy(a).float()
    return t(X[tr]), t(y[tr]), t(X[te]), t(y[te])


def build(cfg, n_in):
    return nn.Sequential(
        nn.Linear(n_in, cfg.hidden), nn.ReLU(),
        nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(),
        nn.Linear(cfg.hidden, 1),
    )


def main():
    cfg = Config()
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    xtr, ytr, xte, yte = get_data(cfg)
    net = build(cfg, xtr.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    loss_fn = nn.MSELoss()

    for epoch in range(cfg.epochs):
        net.train()
        perm = torch.randperm(len(xtr))
        total = 0.0
        for i in range(0, len(xtr), cfg.batch):
            idx = perm[i:i + cfg.batch]
            pred = net(xtr[idx]).squeeze(1)
            loss = loss_fn(pred, ytr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if epoch % 10 == 0 or epoch == cfg.epochs - 1:
            net.eval()
            with torch.no_grad():
                pr = net(xte).squeeze(1)
            print(f"{epoch:3d} train mse {total / len(xtr):.4f}  test r2 {r2_score(yte.numpy(), pr.numpy()):.3f}")


if __name__ == "__main__":
    main()
