"""Rare frauds, with a moderate weight for them.

split: train
"""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_transactions(n, rng):
    amount = rng.lognormal(3.0, 1.4, n)
    hour = rng.integers(0, 24, n)
    n_prev = rng.poisson(4, n)
    dist = rng.exponential(20, n)
    foreign = rng.random(n) < 0.1
    logit = (-7.2 + 0.9 * (np.log(amount) - 3) + 2.0 * foreign + 0.02 * dist
             + 1.6 * ((hour < 5) | (hour > 22)) + 0.35 * (n_prev - 4))
    y = rng.random(n) < 1 / (1 + np.exp(-2.2 * (logit + 3.0)))
    X = np.stack([amount, np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12),
                  n_prev, dist, foreign], 1).astype(np.float32)
    return X, y.astype(np.float32)


class Net(nn.Module):
    def __init__(self, d, h=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.head = nn.Linear(h, 1)

    def forward(self, x):
        return self.head(self.body(x)).squeeze(-1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=8)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--bs", type=int, default=128)
    args = p.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)
    rng = np.random.default_rng(7)

    X, y = make_transactions(14000, rng)
    for j in (0, 4):
        X[:, j] = np.log1p(X[:, j])
    tr, va = slice(0, 10000), slice(10000, None)
    mean, std = X[tr].mean(0), X[tr].std(0)
    X = (X - mean) / std
    print(f"positives in train: {y[tr].mean():.3%}")

    loader = DataLoader(TensorDataset(torch.from_numpy(X[tr]), torch.from_numpy(y[tr])),
                        batch_size=args.bs, shuffle=True)
    Xv, yv = torch.from_numpy(X[va]), torch.from_numpy(y[va])
    pos_weight = torch.tensor(float(np.sqrt((1 - y[tr]).sum() / y[tr].sum())))
    model = Net(X.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.epochs * len(loader))

    for ep in range(args.epochs):
        model.train()
        losses = []
        for xb, yb in loader:
            loss = F.binary_cross_entropy_with_logits(model(xb), yb, pos_weight=pos_weight)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            losses.append(loss.item())
        model.eval()
        with torch.inference_mode():
            s = torch.sigmoid(model(Xv)).numpy()
        print(f"[{ep + 1}] loss {np.mean(losses):.4f}  AUC {roc_auc_score(yv, s):.4f}  "
              f"AP {average_precision_score(yv, s):.4f}  F1 {f1_score(yv, s > 0.5):.4f}")


if __name__ == "__main__":
    main()
