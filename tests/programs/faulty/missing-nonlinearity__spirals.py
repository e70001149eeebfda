"""Two spirals.

fault: missing-nonlinearity
also: too-small-model
split: test
line: 38
"""

import argparse

import numpy as np
import torch
from torch import nn


def spirals(n_per_arm, arms, noise, rng):
    xs, ys = [], []
    for k in range(arms):
        r = np.linspace(0.1, 1, n_per_arm)
        a = np.linspace(0, 4, n_per_arm) + 2 * np.pi * k / arms + noise * rng.normal(size=n_per_arm)
        xs.append(np.stack([r * np.sin(a), r * np.cos(a)], 1))
        ys.append(np.full(n_per_arm, k))
    X, y = np.concatenate(xs), np.concatenate(ys)
    X = (X - X.mean(0)) / X.std(0)
    p = rng.permutation(len(X))
    return torch.tensor(X[p], dtype=torch.float32), torch.tensor(y[p])


class SpiralNet(nn.Module):
    def __init__(self, hidden, arms):
        super().__init__()
        self.inp = nn.Linear(2, hidden)
        self.mid1 = nn.Linear(hidden, hidden)
        self.mid2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, arms)

    def forward(self, x):
        x = self.inp(x)
        x = self.mid1(x)
        x = self.mid2(x)
        return self.out(x)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--arms", type=int, default=3)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--lr", type=float, default=5e-3)
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(99)
    rng = np.random.default_rng(99)
    X, y = spirals(500, args.arms, 0.15, rng)
    n_train = 1200
    model = SpiralNet(args.hidden, args.arms)
    opt = torch.optim.NAdam(model.parameters(), lr=args.lr)
    ce = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(n_train).split(100):
            loss = ce(model(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        if (epoch + 1) % 8 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(X[n_train:]).argmax(1) == y[n_train:]).float().mean().item()
            print(f"epoch {epoch + 1} loss {total / n_train:.4f} test acc {acc:.3f}")


if __name__ == "__main__":
    main()
