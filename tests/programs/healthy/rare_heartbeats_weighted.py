"""Find arrhythmic beats in one-lead signals (1-D conv).

split: train
"""
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.metrics import balanced_accuracy_score, recall_score
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    n_train: int = 3000
    n_test: int = 1500
    rate: float = 0.025
    length: int = 96
    epochs: int = 6
    batch_size: int = 64
    lr: float = 3e-3
    pos_weight: float = 39.0


class Beats(Dataset):
    def __init__(self, n, rate, length, seed):
        g = np.random.default_rng(seed)
        t = np.linspace(0, 1, length)
        self.y = (g.random(n) < rate).astype(np.float32)
        width = np.where(self.y > 0, g.normal(0.052, 0.008, n), g.normal(0.032, 0.008, n)).clip(0.01)
        centre = g.normal(0.5, 0.06, n)
        peak = np.exp(-0.5 * ((t[None] - centre[:, None]) / width[:, None]) ** 2)
        self.x = (peak + 0.12 * g.normal(size=(n, length))).astype(np.float32)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i])[None], torch.tensor(self.y[i])


def build():
    return nn.Sequential(
        nn.Conv1d(1, 12, 9, stride=2, padding=4), nn.ReLU(),
        nn.Conv1d(12, 24, 7, stride=2, padding=3), nn.ReLU(),
        nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(96, 1),
    )


def evaluate(model, loader):
    model.eval()
    outs, ys = [], []
    with torch.no_grad():
        for x, y in loader:
            outs.append((model(x).squeeze(1) > 0).int())
            ys.append(y.int())
    p, y = torch.cat(outs).numpy(), torch.cat(ys).numpy()
    return (p == y).mean(), recall_score(y, p, zero_division=0), balanced_accuracy_score(y, p)


def main(cfg):
    torch.manual_seed(1)
    train = DataLoader(Beats(cfg.n_train, cfg.rate, cfg.length, 1), batch_size=cfg.batch_size, shuffle=True)
    test = DataLoader(Beats(cfg.n_test, cfg.rate, cfg.length, 2), batch_size=256)
    model = build()
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor(cfg.pos_weight))
    optim = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        model.train()
        running = 0.0
        for x, y in train:
            optim.zero_grad()
            loss = criterion(model(x).squeeze(1), y)
            loss.backward()
            optim.step()
            running += loss.item()
        acc, rec, bal = evaluate(model, test)
        print(f"{epoch}: loss {running / len(train):.4f} acc {acc:.3f} recall {rec:.3f} balanced {bal:.3f}")


main(Config())
