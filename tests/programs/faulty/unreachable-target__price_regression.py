"""Prices by a regression with a scheduler.

fault: unreachable-target
also: output-activation
split: test
line: 33, 36
"""

import argparse

import torch
import torch.nn as nn
from sklearn.datasets import make_regression
from sklearn.model_selection import train_test_split


class MLPBlock(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.linear(x))


class PriceModel(nn.Module):
    def __init__(self, n_features, hidden=(64, 32)):
        super().__init__()
        dims = [n_features, *hidden]
        blocks = [MLPBlock(a, b) for a, b in zip(dims[:-1], dims[1:])]
        self.blocks = nn.Sequential(*blocks)
        self.out = MLPBlock(dims[-1], 1)

    def forward(self, x):
        return self.out(self.blocks(x)).squeeze(-1)


def get_data(seed):
    X, y = make_regression(n_samples=2000, n_features=12, n_informative=8, noise=8.0, random_state=seed)
    y = y + 0.002 * y ** 2
    Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=seed)
    mu, sd = ytr.mean(), ytr.std()
    to_t = lambda a: torch.tensor(a, dtype=torch.float32)
    return to_t(Xtr), to_t((ytr - mu) / sd), to_t(Xte), to_t((yte - mu) / sd)


def train(model, X, y, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10, gamma=0.5)
    loss_fn = nn.SmoothL1Loss()
    n = len(X)
    for epoch in range(args.epochs):
        model.train()
        order = torch.randperm(n)
        mean_loss = 0.0
        for i in range(0, n, args.batch):
            sel = order[i:i + args.batch]
            optimizer.zero_grad()
            loss = loss_fn(model(X[sel]), y[sel])
            loss.backward()
            optimizer.step()
            mean_loss += loss.item() * len(sel) / n
        scheduler.step()
        if (epoch + 1) % 5 == 0:
            print("epoch {:3d} smooth-l1 {:.5f}".format(epoch + 1, mean_loss))


def r2(model, X, y):
    model.eval()
    with torch.no_grad():
        residual = y - model(X)
    return float(1 - residual.pow(2).sum() / (y - y.mean()).pow(2).sum())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=30)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=17)
    args = ap.parse_args()

    torch.manual_seed(args.seed)
    Xtr, ytr, Xte, yte = get_data(args.seed)
    model = PriceModel(Xtr.shape[1])
    train(model, Xtr, ytr, args)
    print("R2 train {:.4f} test {:.4f}".format(r2(model, Xtr, ytr), r2(model, Xte, yte)))


if __name__ == "__main__":
    main()
