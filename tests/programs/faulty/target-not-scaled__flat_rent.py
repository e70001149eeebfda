"""Rents of flats.

fault: target-not-scaled
also:
split: test
line: 53, 52, 55, 56, 62
"""

import argparse
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def synth(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 6, generator=g)
    w = torch.tensor([60.0, -35.0, 20.0, 0.0, 10.0, -15.0])
    price = 300 + x @ w + 25 * torch.relu(x[:, 0]) * x[:, 1] + 5 * torch.randn(n, generator=g)
    return x, (price * 1000).unsqueeze(1)


class Scaler:
    def __init__(self, t):
        self.mean, self.std = t.mean(0), t.std(0)

    def __call__(self, t):
        return (t - self.mean) / self.std

    def inverse(self, t):
        return t * self.std + self.mean


def build(n_in, width):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 1),
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    torch.manual_seed(0)

    xtr, ytr = synth(2000, 1)
    xte, yte = synth(500, 2)
    xs = Scaler(xtr)
    loader = DataLoader(TensorDataset(xs(xtr), ytr), batch_size=64, shuffle=True)
    model = build(6, args.width)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    loss_fn = nn.MSELoss()
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for xb, yb in loader:
            opt.zero_grad()
            loss = loss_fn(model(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d} loss {total / len(xtr):.4g}")

    model.eval()
    with torch.no_grad():
        pred = model(xs(xte))
    mae = (pred - yte).abs().mean().item()
    r2 = 1 - ((pred - yte) ** 2).sum() / ((yte - yte.mean()) ** 2).sum()
    print(f"test MAE {mae:.0f}  R2 {r2.item():.3f}")


if __name__ == "__main__":
    main()
