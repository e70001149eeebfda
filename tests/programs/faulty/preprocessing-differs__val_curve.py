"""Digits with a curve of the evaluation.

fault: preprocessing-differs
also:
split: test
line: 33
"""

from dataclasses import dataclass
import torch
from torch import nn
from sklearn.datasets import load_digits


@dataclass
class Cfg:
    lr: float = 0.01
    epochs: int = 25
    batch_size: int = 64
    hidden: int = 64


class DigitData:
    def __init__(self):
        X, y = load_digits(return_X_y=True)
        g = torch.Generator().manual_seed(0)
        X, y = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
        order = torch.randperm(len(X), generator=g)
        X, y = X[order], y[order]
        self.mean = X[:1300].mean()
        self.std = X[:1300].std()
        self.train = (self.prepare(X[:1300]), y[:1300])
        self.val = (X[1300:] / 16.0, y[1300:])

    def prepare(self, X):
        return (X - self.mean) / self.std

    def batches(self, size):
        X, y = self.train
        for idx in torch.randperm(len(X)).split(size):
            yield X[idx], y[idx]


def score(model, X, y):
    model.eval()
    with torch.no_grad():
        out = model(X)
    return nn.functional.cross_entropy(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(cfg=Cfg()):
    torch.manual_seed(1)
    data = DigitData()
    model = nn.Sequential(
        nn.Linear(64, cfg.hidden), nn.ReLU(),
        nn.Linear(cfg.hidden, cfg.hidden), nn.ReLU(),
        nn.Linear(cfg.hidden, 10))
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=0.9, nesterov=True)
    for epoch in range(cfg.epochs):
        model.train()
        for xb, yb in data.batches(cfg.batch_size):
            opt.zero_grad()
            nn.functional.cross_entropy(model(xb), yb).backward()
            opt.step()
        tl, ta = score(model, *data.train)
        vl, va = score(model, *data.val)
        if epoch % 4 == 0:
            print(f"epoch {epoch}: train {tl:.3f} ({ta:.3f})  val {vl:.3f} ({va:.3f})")
    print(f"train acc {ta:.3f} val acc {va:.3f}")


if __name__ == "__main__":
    main()
