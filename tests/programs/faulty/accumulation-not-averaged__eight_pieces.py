"""Digits in pieces of a batch.

fault: accumulation-not-averaged
also: 
split: test
line: 63
"""

from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


@dataclass
class Config:
    seed: int = 11
    micro_batch: int = 8
    steps_per_update: int = 8
    lr: float = 0.1
    momentum: float = 0.9
    weight_decay: float = 1e-4
    epochs: int = 10


class DigitNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.conv1 = nn.Conv2d(1, width, 3, padding=1)
        self.conv2 = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.fc1 = nn.Linear(2 * width * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc1(x.flatten(1)))
        return self.fc2(x)


class Trainer:
    def __init__(self, cfg, model, train_ds, test_ds):
        self.cfg = cfg
        self.model = model
        self.train_loader = DataLoader(train_ds, batch_size=cfg.micro_batch, shuffle=True, drop_last=True)
        self.test_loader = DataLoader(test_ds, batch_size=256)
        self.optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum,
                                         weight_decay=cfg.weight_decay, nesterov=True)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, T_max=cfg.epochs)

    def train_epoch(self):
        self.model.train()
        total, seen = 0.0, 0
        self.optimizer.zero_grad()
        for i, (images, labels) in enumerate(self.train_loader):
            loss = F.cross_entropy(self.model(images), labels)
            loss.backward()
            if (i + 1) % self.cfg.steps_per_update == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
            total += loss.item() * len(images)
            seen += len(images)
        self.scheduler.step()
        return total / seen

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        hits = 0
        for images, labels in self.test_loader:
            hits += (self.model(images).argmax(1) == labels).sum().item()
        return hits / len(self.test_loader.dataset)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            loss = self.train_epoch()
            print(f"epoch {epoch + 1:2d}  train loss {loss:.4f}  test acc {self.evaluate():.4f}")


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    digits = load_digits()
    x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
    x = (x - 0.305) / 0.376
    y = torch.tensor(digits.target)
    x_tr, x_te, y_tr, y_te = train_test_split(x, y, test_size=0.25, random_state=cfg.seed, stratify=y)
    Trainer(cfg, DigitNet(), TensorDataset(x_tr, y_tr), TensorDataset(x_te, y_te)).fit()


if __name__ == "__main__":
    main()
