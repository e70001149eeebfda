"""Digits and the amount of their ink.

fault: train-mode-in-eval
also: 
split: train
line: 72
"""

from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler


@dataclass
class Config:
    hidden: int = 64
    dropout: float = 0.5
    lr: float = 2e-3
    batch_size: int = 64
    epochs: int = 25
    seed: int = 7


class MultiTaskNet(nn.Module):
    """Shared trunk, one head for the digit, one for the amount of ink."""

    def __init__(self, cfg):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(64, cfg.hidden), nn.ReLU(), nn.Dropout(cfg.dropout),
            nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(), nn.Dropout(cfg.dropout),
        )
        self.digit = nn.Linear(cfg.hidden, 10)
        self.ink = nn.Linear(cfg.hidden, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.digit(h), self.ink(h).squeeze(-1)


class Trainer:
    def __init__(self, model, data, cfg):
        self.model, self.cfg = model, cfg
        self.train_data, self.val_data = data
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-3)
        self.ce, self.mse = nn.CrossEntropyLoss(), nn.MSELoss()

    def losses(self, x, y, t):
        logits, ink = self.model(x)
        return self.ce(logits, y), self.mse(ink, t), logits

    def train_epoch(self):
        self.model.train()
        x, y, t = self.train_data
        total = 0.0
        for idx in torch.randperm(len(x)).split(self.cfg.batch_size):
            l1, l2, _ = self.losses(x[idx], y[idx], t[idx])
            loss = l1 + 0.5 * l2
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            total += loss.item() * len(idx)
        return total / len(x)

    @torch.no_grad()
    def validate(self):
        x, y, t = self.val_data
        l1, l2, logits = self.losses(x, y, t)
        acc = (logits.argmax(1) == y).float().mean()
        return l1.item(), l2.item(), acc.item()

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            tl = self.train_epoch()
            ce, mse, acc = self.validate()
            if epoch % 5 == 0 or epoch == 1:
                print(f"{epoch:3d} | train {tl:.3f} | val ce {ce:.3f} mse {mse:.3f} acc {acc:.3f}")
        return acc


def load(cfg):
    d = load_digits()
    rng = np.random.RandomState(cfg.seed)
    perm = rng.permutation(len(d.data))
    tr, va = perm[:1400], perm[1400:]
    scaler = StandardScaler().fit(d.data[tr])
    ink = d.data.sum(1)
    ink = (ink - ink[tr].mean()) / ink[tr].std()
    pack = lambda i: (torch.tensor(scaler.transform(d.data[i]), dtype=torch.float32),
                      torch.tensor(d.target[i]), torch.tensor(ink[i], dtype=torch.float32))
    return pack(tr), pack(va)


if __name__ == "__main__":
    torch.set_num_threads(1)
    cfg = Config()
    torch.manual_seed(cfg.seed)
    acc = Trainer(MultiTaskNet(cfg), load(cfg), cfg).fit()
    print("final validation accuracy", round(acc, 4))
