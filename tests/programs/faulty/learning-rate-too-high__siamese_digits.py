"""Pairs of digits.

fault: learning-rate-too-high
also:
split: test
line: 61
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Embedder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(64, 128), nn.ReLU(),
            nn.Linear(128, 64), nn.ReLU(),
            nn.Linear(64, dim))

    def forward(self, x):
        return self.net(x)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.margin = margin

    def forward(self, a, b, same):
        d = F.pairwise_distance(a, b)
        return (same * d.pow(2) + (1 - same) * F.relu(self.margin - d).pow(2)).mean()


def sample_pairs(X, y, n):
    i = torch.randint(0, len(X), (n,))
    j = torch.randint(0, len(X), (n,))
    for k in range(0, n, 2):
        pool = (y == y[i[k]]).nonzero().squeeze(1)
        j[k] = pool[torch.randint(0, len(pool), (1,))].item()
    return X[i], X[j], (y[i] == y[j]).float()


@torch.no_grad()
def knn_accuracy(model, Xtr, ytr, Xte, yte):
    model.eval()
    d = torch.cdist(model(Xte), model(Xtr))
    return (ytr[d.argmin(1)] == yte).float().mean().item()


def main():
    torch.manual_seed(0)
    X, y = load_digits(return_X_y=True)
    X, y = torch.tensor(X / 16.0, dtype=torch.float32), torch.tensor(y)
    perm = torch.randperm(len(X))
    tr, te = perm[:1300], perm[1300:]
    model = Embedder()
    criterion = ContrastiveLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.5)
    for step in range(1, 301):
        model.train()
        a, b, same = sample_pairs(X[tr], y[tr], 128)
        loss = criterion(model(a), model(b), same)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 60 == 0:
            acc = knn_accuracy(model, X[tr], y[tr], X[te], y[te])
            print(f"step {step}: loss {loss.item():.4f} 1-nn accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
