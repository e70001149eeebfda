"""A trainer whose model is made again when the data are known.

split: test
"""

import random
from dataclasses import dataclass

import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class TrainConfig:
    hidden: int = 64
    depth: int = 2
    lr: float = 2e-3
    weight_decay: float = 1e-2
    epochs: int = 12
    batch_size: int = 64
    seed: int = 7


def build_model(cfg: TrainConfig) -> nn.Module:
    layers, width = [], 64
    for _ in range(cfg.depth):
        layers += [nn.Linear(width, cfg.hidden), nn.GELU()]
        width = cfg.hidden
    layers.append(nn.Linear(width, 10))
    return nn.Sequential(*layers)


class Trainer:
    def __init__(self, cfg: TrainConfig):
        self.cfg = cfg
        self.model = build_model(cfg)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay
        )
        self.criterion = nn.CrossEntropyLoss()
        self.history = []

    def prepare(self):
        random.seed(self.cfg.seed)
        np.random.seed(self.cfg.seed)
        torch.manual_seed(self.cfg.seed)
        self.model = build_model(self.cfg)
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(), lr=self.cfg.lr, weight_decay=self.cfg.weight_decay
        )
        self.history.clear()

    def fit(self, train_loader, val_loader):
        self.prepare()
        for epoch in range(self.cfg.epochs):
            self.model.train()
            running, seen = 0.0, 0
            for xb, yb in train_loader:
                self.optimizer.zero_grad(set_to_none=True)
                loss = self.criterion(self.model(xb), yb)
                loss.backward()
                self.optimizer.step()
                running += loss.item() * len(xb)
                seen += len(xb)
            acc = self.score(val_loader)
            self.history.append((running / seen, acc))
            print(f"epoch {epoch:02d}  train loss {running / seen:.4f}  val acc {acc:.3f}")
        return self.history

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        hits = total = 0
        for xb, yb in loader:
            hits += (self.model(xb).argmax(1) == yb).sum().item()
            total += len(yb)
        return hits / total


def main():
    cfg = TrainConfig()
    X, y = load_digits(return_X_y=True)
    X = (X / 16.0).astype("float32")
    Xtr, Xva, ytr, yva = train_test_split(X, y, test_size=0.25, random_state=cfg.seed, stratify=y)
    train_ds = TensorDataset(torch.from_numpy(Xtr), torch.from_numpy(ytr))
    val_ds = TensorDataset(torch.from_numpy(Xva), torch.from_numpy(yva))
    trainer = Trainer(cfg)
    history = trainer.fit(
        DataLoader(train_ds, batch_size=cfg.batch_size, shuffle=True),
        DataLoader(val_ds, batch_size=256),
    )
    print(f"best val acc: {max(h[1] for h in history):.3f}")


if __name__ == "__main__":
    main()
