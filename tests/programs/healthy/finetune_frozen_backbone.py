"""Pretrain a CNN on digits 0-4, then freeze it and train a new head for digits 5-9.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(21)
d = load_digits()
images = torch.tensor(d.images, dtype=torch.float32)[:, None] / 16 - 0.3
labels = torch.tensor(d.target)


def loaders(classes, seed):
    keep = torch.isin(labels, torch.tensor(classes))
    x, y = images[keep], labels[keep] - classes[0]
    i, j = train_test_split(range(len(x)), test_size=0.3, stratify=y.numpy(), random_state=seed)
    return (DataLoader(TensorDataset(x[i], y[i]), batch_size=32, shuffle=True),
            DataLoader(TensorDataset(x[j], y[j]), batch_size=256))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 24, 3, padding=1)
        self.c2 = nn.Conv2d(24, 48, 3, padding=1)
        self.n1, self.n2 = nn.GroupNorm(4, 24), nn.GroupNorm(4, 48)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.n1(self.c1(x))), 2)
        x = F.relu(self.n2(self.c2(x)))
        return F.max_pool2d(x, 2).flatten(1)


def fit(backbone, head, params, train, test, epochs, lr, name):
    opt = torch.optim.AdamW(params, lr=lr, weight_decay=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs * len(train))
    for ep in range(epochs):
        head.train()
        tot = 0.0
        for x, y in train:
            loss = F.cross_entropy(head(backbone(x)), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            tot += loss.item() * len(y)
        head.eval()
        with torch.no_grad():
            acc = sum((head(backbone(x)).argmax(1) == y).sum().item() for x, y in test) / len(test.dataset)
        if ep % 5 == 4:
            print(f"{name} epoch {ep + 1}: loss {tot / len(train.dataset):.4f} test acc {acc:.4f}")
    return acc


backbone = Backbone()
tr, te = loaders([0, 1, 2, 3, 4], 0)
head_a = nn.Linear(48 * 4, 5)
fit(backbone, head_a, list(backbone.parameters()) + list(head_a.parameters()), tr, te, 15, 2e-3, "pretrain")

backbone.requires_grad_(False)
backbone.eval()
tr, te = loaders([5, 6, 7, 8, 9], 1)
head_b = nn.Sequential(nn.Linear(48 * 4, 5))
acc = fit(backbone, head_b, head_b.parameters(), tr, te, 20, 5e-3, "head")
print("new classes, frozen backbone:", acc)
