"""A siamese network that tells whether two digits are the same.

split: train
"""

import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from torch.utils.data import Dataset, DataLoader


class SiameseDigits(Dataset):
    """Yields (img0, img1, flag); half of the pairs show the same digit."""

    def __init__(self, images, labels, n_pairs, seed):
        self.images, self.labels = images, labels
        rng = random.Random(seed)
        by_class = {c: np.flatnonzero(labels == c).tolist() for c in range(10)}
        self.pairs = []
        for _ in range(n_pairs):
            a = rng.randrange(len(labels))
            if rng.random() < 0.5:
                b = rng.choice(by_class[labels[a]])
            else:
                b = rng.choice(by_class[rng.choice([c for c in range(10) if c != labels[a]])])
            self.pairs.append((a, b))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, k):
        a, b = self.pairs[k]
        flag = float(self.labels[a] == self.labels[b])
        return self.images[a], self.images[b], torch.tensor(flag)


class EmbeddingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, x):
        return self.net(x)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, e0, e1, label):
        dist = F.pairwise_distance(e0, e1)
        pull = label * dist.pow(2)
        push = (1 - label) * torch.clamp(self.margin - dist, min=0.0).pow(2)
        return torch.mean(pull + push)


def verify(model, loader):
    model.eval()
    d, s = [], []
    with torch.no_grad():
        for a, b, flag in loader:
            d.append(F.pairwise_distance(model(a), model(b)))
            s.append(flag)
    return roc_auc_score(torch.cat(s).numpy(), -torch.cat(d).numpy())


def main():
    torch.manual_seed(13)
    X, y = load_digits(return_X_y=True)
    Xa, Xb, ya, yb = train_test_split(X, y, test_size=0.3, random_state=13, stratify=y)
    mean, std = float(Xa.mean()), float(Xa.std())
    Xa, Xb = ((Z - mean) / std for Z in (Xa.astype(np.float32), Xb.astype(np.float32)))
    train = DataLoader(SiameseDigits(torch.from_numpy(Xa), ya, 3000, 1), batch_size=64, shuffle=True)
    test = DataLoader(SiameseDigits(torch.from_numpy(Xb), yb, 1500, 2), batch_size=256)
    model, criterion = EmbeddingNet(), ContrastiveLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        model.train()
        for i, (a, b, flag) in enumerate(train):
            optimizer.zero_grad()
            loss = criterion(model(a), model(b), flag)
            loss.backward()
            optimizer.step()
        print("Epoch {}: last loss {:.4f}, verification AUC {:.3f}".format(epoch, loss.item(), verify(model, test)))


if __name__ == "__main__":
    main()
