"""Shapes on a grey table, photographed with an 8-bit camera.

fault: preprocessing-differs
also:
split: test
line: 51
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

NAMES = ["disc", "square", "ring", "cross"]
MEAN, STD = 0.49, 0.09


def render(n, seed):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:24, 0:24]
    images = np.empty((n, 24, 24), dtype=np.uint8)
    labels = rng.integers(0, 4, n)
    for i, k in enumerate(labels):
        r = rng.uniform(4, 7)
        dy, dx = yy - rng.uniform(8, 16), xx - rng.uniform(8, 16)
        dist = np.hypot(dy, dx)
        if k == 0:
            m = dist < r
        elif k == 1:
            m = np.maximum(abs(dy), abs(dx)) < r * 0.9
        elif k == 2:
            m = (dist < r) & (dist > r - 2.2)
        else:
            m = (np.minimum(abs(dy), abs(dx)) < 1.4) & (np.maximum(abs(dy), abs(dx)) < r)
        photo = 118 + rng.normal(0, 10, (24, 24)) + m * rng.uniform(35, 60)
        images[i] = np.clip(photo, 0, 255).astype(np.uint8)
    return images, labels


class PhotoSet(Dataset):
    def __init__(self, images, labels, train):
        self.images, self.labels, self.train = images, labels, train

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        x = torch.from_numpy(self.images[i]).float().div(255)
        if self.train and torch.rand(()) < 0.5:
            x = x.flip(1)
        if self.train:
            x = (x - MEAN) / STD
        return x[None], int(self.labels[i])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Conv2d(1, 12, 5, padding=2)
        self.b = nn.Conv2d(12, 24, 3, padding=1)
        self.c = nn.Conv2d(24, 32, 3, padding=1)
        self.fc = nn.Linear(32, len(NAMES))

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.a(x)), 2)
        x = F.max_pool2d(F.relu(self.b(x)), 2)
        x = F.relu(self.c(x))
        return self.fc(x.amax((2, 3)))


class Trainer:
    def __init__(self, model, train_set, val_set):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=50, shuffle=True)
        self.val_loader = DataLoader(val_set, batch_size=200)
        self.opt = torch.optim.Adam(model.parameters(), lr=1.5e-3)

    def run_epoch(self):
        self.model.train()
        losses = []
        for x, y in self.train_loader:
            loss = F.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return float(np.mean(losses))

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        good, loss = 0, 0.0
        for x, y in self.val_loader:
            out = self.model(x)
            loss += F.cross_entropy(out, y, reduction="sum").item()
            good += (out.argmax(1) == y).sum().item()
        n = len(self.val_loader.dataset)
        return loss / n, good / n

    def fit(self, epochs):
        for e in range(epochs):
            tl = self.run_epoch()
            vl, va = self.validate()
            print(f"epoch {e:2d} train {tl:.3f} val {vl:.3f} acc {va:.3f}")
        return va


if __name__ == "__main__":
    torch.manual_seed(3)
    tr = PhotoSet(*render(3000, 1), train=True)
    va = PhotoSet(*render(600, 2), train=False)
    acc = Trainer(Net(), tr, va).fit(8)
    print(f"score {acc:.4f}")
