"""Pairs of digits: the same one or not.

fault: wrong-loss-sign
also:
split: test
line: 61, 62
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, Dataset


class PairDataset(Dataset):
    """Image pairs, half of them showing the same digit (same = 1)."""

    def __init__(self, x, y, n_pairs, seed):
        self.x = torch.tensor(x, dtype=torch.float32)
        rng = np.random.default_rng(seed)
        by_class = [np.flatnonzero(y == c) for c in range(10)]
        self.pairs = []
        for k in range(n_pairs):
            i = rng.integers(len(y))
            same = k % 2
            if same:
                j = rng.choice(by_class[y[i]])
            else:
                other = (y[i] + rng.integers(1, 10)) % 10
                j = rng.choice(by_class[other])
            self.pairs.append((i, int(j), float(same)))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, k):
        i, j, same = self.pairs[k]
        return self.x[i], self.x[j], torch.tensor(same)


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return self.net(x)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=1.0):
        super().__init__()
        self.margin = margin

    def forward(self, za, zb, label):
        dist = F.pairwise_distance(za, zb)
        pull = (1 - label) * dist.pow(2)
        push = label * F.relu(self.margin - dist).pow(2)
        return (pull + push).mean()


@torch.no_grad()
def verification_auc(encoder, loader):
    encoder.eval()
    scores, truth = [], []
    for a, b, same in loader:
        scores.append(-F.pairwise_distance(encoder(a), encoder(b)))
        truth.append(same)
    return roc_auc_score(torch.cat(truth).numpy(), torch.cat(scores).numpy())


def main():
    torch.manual_seed(5)
    x, y = load_digits(return_X_y=True)
    xtr, xte, ytr, yte = train_test_split(x / 16.0, y, test_size=0.3, random_state=5, stratify=y)
    train_loader = DataLoader(PairDataset(xtr, ytr, 4000, seed=1), batch_size=64, shuffle=True)
    test_loader = DataLoader(PairDataset(xte, yte, 1000, seed=2), batch_size=250)

    encoder = Encoder()
    criterion = ContrastiveLoss(margin=1.0)
    optimizer = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    for epoch in range(12):
        encoder.train()
        total = 0.0
        for a, b, same in train_loader:
            loss = criterion(encoder(a), encoder(b), same)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / len(train_loader):.4f} auc {verification_auc(encoder, test_loader):.4f}")
    print(f"final verification AUC: {verification_auc(encoder, test_loader):.4f}")


if __name__ == "__main__":
    main()
