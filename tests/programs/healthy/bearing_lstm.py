"""Bearing condition (ok, inner race, outer race) from vibration envelopes, LSTM.

split: train
"""
import argparse

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def vibration(n, seed, steps=48):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    x = rng.normal(0, 0.5, (n, steps, 2))
    for i, k in enumerate(y):
        if k:
            period = 6 if k == 1 else 10
            hits = np.arange(rng.integers(0, period), steps, period)
            x[i, hits, 0] += rng.uniform(1.5, 2.5)
            x[i, hits, 1] -= rng.uniform(0.8, 1.5)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


class Monitor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.fc = nn.Linear(hidden, 3)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(self.norm(out.mean(1)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=12)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.manual_seed(1)
    xt, yt = vibration(2400, 1)
    xv, yv = vibration(600, 2)
    mu, sd = xt.mean((0, 1)), xt.std((0, 1))
    xt, xv = (xt - mu) / sd, (xv - mu) / sd
    loader = DataLoader(TensorDataset(xt, yt), batch_size=48, shuffle=True)
    model = Monitor()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs)
    crit = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        tot = 0.0
        for x, y in loader:
            loss = crit(model(x), y)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            tot += loss.item()
        sched.step()
        model.eval()
        with torch.no_grad():
            acc = (model(xv).argmax(1) == yv).float().mean().item()
        print(f"epoch {epoch} loss {tot / len(loader):.4f} val acc {acc:.4f}")
    print(f"score {acc:.4f}")


if __name__ == "__main__":
    main()
