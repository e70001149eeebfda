"""Camera frames of a ball, sorted by its colour with a small convolutional network.

split: train
"""

import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import Dataset, DataLoader

COLOURS = {
    "red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1),
    "yellow": (1, 1, 0), "cyan": (0, 1, 1), "magenta": (1, 0, 1),
}


def render(rng, colour):
    """One camera frame as uint8, height x width x rgb."""
    yy, xx = np.mgrid[:28, :28]
    cy, cx = rng.uniform(8, 20, 2)
    r = rng.uniform(4, 7)
    frame = np.full((28, 28, 3), rng.uniform(60, 150))
    inside = (yy - cy) ** 2 + (xx - cx) ** 2 < r * r
    frame[inside] = np.array(colour) * rng.uniform(120, 230) + 20
    frame += rng.normal(0, 12, frame.shape)
    return frame.clip(0, 255).astype(np.uint8)


class BallDataset(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        table = list(COLOURS.values())
        self.y = rng.integers(0, len(table), n)
        self.frames = np.stack([render(rng, table[k]) for k in self.y])

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        img = torch.from_numpy(self.frames[i]).float() / 255.0
        img = (img - 0.45) / 0.25
        img = img.permute(2, 0, 1)
        return img, int(self.y[i])


class SmallConvNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.c1 = nn.Conv2d(3, 16, 3)
        self.b1 = nn.BatchNorm2d(16)
        self.c2 = nn.Conv2d(16, 32, 3)
        self.b2 = nn.BatchNorm2d(32)
        self.head = nn.Linear(32, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.b1(self.c1(x))), 2)
        x = F.max_pool2d(F.relu(self.b2(self.c2(x))), 2)
        return self.head(x.mean((2, 3)))


def accuracy(model, loader):
    model.eval()
    ok = n = 0
    with torch.no_grad():
        for x, y in loader:
            ok += (model(x).argmax(dim=1) == y).sum().item()
            n += len(y)
    return ok / n


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=6)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--batch", type=int, default=32)
    a = p.parse_args()
    torch.manual_seed(0)

    train = DataLoader(BallDataset(900, 1), batch_size=a.batch, shuffle=True)
    val = DataLoader(BallDataset(300, 2), batch_size=100)
    model = SmallConvNet(len(COLOURS))
    opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=1e-4)
    for ep in range(a.epochs):
        model.train()
        running = 0
        for x, y in train:
            loss = F.cross_entropy(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        print("epoch %d  train loss %.3f  val acc %.3f" % (ep, running / len(train), accuracy(model, val)))


if __name__ == "__main__":
    main()
