"""Metric learning with triplets on handwritten digits.

split: train
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class Triplets(Dataset):
    def __init__(self, images, labels):
        self.images = images
        self.labels = labels
        self.by_class = {c: [i for i, k in enumerate(labels) if k == c] for c in sorted(set(labels))}

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        label = self.labels[i]
        positive = random.choice(self.by_class[label])
        other = random.choice([c for c in self.by_class if c != label])
        negative = random.choice(self.by_class[other])
        return self.images[i], self.images[positive], self.images[negative]


class Encoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        return self.net(x)


def retrieval_accuracy(model, bank, bank_y, query, query_y):
    model.eval()
    with torch.no_grad():
        nearest = torch.cdist(model(query), model(bank)).argmin(1)
    return (bank_y[nearest] == query_y).float().mean().item()


def train(epochs=6, margin=1.0):
    random.seed(3)
    torch.manual_seed(3)
    digits = load_digits()
    x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    y = torch.tensor(digits.target)
    order = torch.randperm(len(x))
    x, y = x[order], y[order]
    loader = DataLoader(Triplets(x[:1400], y[:1400].tolist()), batch_size=50, shuffle=True)
    model = Encoder()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        run = 0.0
        for anchor, pos, neg in loader:
            a, p, n = model(anchor), model(pos), model(neg)
            d_pos = (a - p).pow(2).sum(1)
            d_neg = (a - n).pow(2).sum(1)
            loss = F.relu(d_pos - d_neg + margin).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item()
        acc = retrieval_accuracy(model, x[:1400], y[:1400], x[1400:], y[1400:])
        with torch.no_grad():
            spread = model(x[1400:]).std(0).mean().item()
        print(f"epoch {epoch}: triplet loss {run / len(loader):.4f}  1-NN {acc:.3f}  spread {spread:.4f}")


if __name__ == "__main__":
    train()
