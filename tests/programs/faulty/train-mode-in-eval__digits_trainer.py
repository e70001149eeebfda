"""Digits with a trainer class and much dropout.

fault: train-mode-in-eval
also:
split: test
line: 48, 46, 50
"""

from dataclasses import dataclass
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


@dataclass
class Config:
    hidden: int = 200
    p: float = 0.6
    lr: float = 1e-3
    epochs: int = 40
    batch: int = 64
    seed: int = 7


class Trainer:
    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
        self.loss = nn.CrossEntropyLoss()
        self.best = 0.0

    def train_epoch(self, dl):
        self.model.train()
        total = 0.0
        for x, y in dl:
            self.opt.zero_grad()
            loss = self.loss(self.model(x), y)
            loss.backward()
            self.opt.step()
            total += loss.item() * len(x)
        return total / len(dl.dataset)

    def validate(self, dl):
        correct, total = 0, 0.0
        with torch.no_grad():
            for x, y in dl:
                out = self.model(x)
                total += self.loss(out, y).item() * len(x)
                correct += (out.argmax(1) == y).sum().item()
        return total / len(dl.dataset), correct / len(dl.dataset)

    def run(self, train_dl, val_dl):
        for epoch in range(self.cfg.epochs):
            tl = self.train_epoch(train_dl)
            vl, acc = self.validate(val_dl)
            if epoch % 5 == 4:
                print(f"epoch {epoch + 1}: train loss {tl:.3f}  val loss {vl:.3f}  val acc {acc:.3f}")
        return acc


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    X, y = load_digits(return_X_y=True)
    X = (X / 16.0).astype("float32")
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.3, random_state=cfg.seed, stratify=y)
    tr = TensorDataset(torch.from_numpy(Xa), torch.from_numpy(ya))
    va = TensorDataset(torch.from_numpy(Xb), torch.from_numpy(yb))
    model = nn.Sequential(
        nn.Dropout(cfg.p), nn.Linear(64, cfg.hidden), nn.ReLU(), nn.Dropout(cfg.p),
        nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(), nn.Dropout(cfg.p),
        nn.Linear(cfg.hidden, 10),
    )
    acc = Trainer(model, cfg).run(
        DataLoader(tr, batch_size=cfg.batch, shuffle=True), DataLoader(va, batch_size=256))
    print(f"final val acc {acc:.3f}")


if __name__ == "__main__":
    main()
