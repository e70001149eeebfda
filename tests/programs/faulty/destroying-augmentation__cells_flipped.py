"""Bright cells on noisy microscope tiles, segmented by a small U-Net.

fault: destroying-augmentation
also:
split: train
line: 38
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class CellTiles(Dataset):
    def __init__(self, n, seed, augment=False):
        rng = np.random.default_rng(seed)
        self.augment = augment
        yy, xx = np.mgrid[:32, :32]
        self.images = np.zeros((n, 1, 32, 32), np.float32)
        self.masks = np.zeros((n, 1, 32, 32), np.float32)
        for k in range(n):
            for _ in range(rng.integers(1, 4)):
                cy, cx = rng.uniform(5, 27, 2)
                ry, rx = rng.uniform(3, 6, 2)
                self.masks[k, 0][((yy - cy) / ry) ** 2 + ((xx - cx) / rx) ** 2 < 1] = 1
            self.images[k, 0] = self.masks[k, 0] * rng.uniform(0.7, 1.2) + rng.normal(0, 0.5, (32, 32))
        self.images = (self.images - 0.2) / 0.65

    def __len__(self):
        return len(self.images)

    def __getitem__(self, k):
        image = torch.from_numpy(self.images[k])
        mask = torch.from_numpy(self.masks[k])
        if self.augment and torch.rand(1).item() < 0.5:
            image = torch.flip(image, dims=[2])
        if self.augment and torch.rand(1).item() < 0.5:
            image, mask = torch.flip(image, dims=[1]), torch.flip(mask, dims=[1])
        return image, mask


def double_conv(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True),
                         nn.Conv2d(o, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.d1, self.d2, self.mid = double_conv(1, w), double_conv(w, 2 * w), double_conv(2 * w, 4 * w)
        self.up2 = nn.ConvTranspose2d(4 * w, 2 * w, 2, stride=2)
        self.u2 = double_conv(4 * w, 2 * w)
        self.up1 = nn.ConvTranspose2d(2 * w, w, 2, stride=2)
        self.u1 = double_conv(2 * w, w)
        self.last = nn.Conv2d(w, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([self.up2(c), b], dim=1))
        a = self.u1(torch.cat([self.up1(b), a], dim=1))
        return self.last(a)


def criterion(logits, target):
    prob = torch.sigmoid(logits)
    inter = (prob * target).sum((1, 2, 3))
    dice = 1 - (2 * inter + 1) / (prob.sum((1, 2, 3)) + target.sum((1, 2, 3)) + 1)
    return F.binary_cross_entropy_with_logits(logits, target) + dice.mean()


@torch.no_grad()
def iou(model, loader):
    model.eval()
    inter = union = 0.0
    for x, m in loader:
        p = model(x) > 0
        inter += (p & (m > 0)).sum().item()
        union += (p | (m > 0)).sum().item()
    return inter / union


def main():
    torch.manual_seed(30)
    train = DataLoader(CellTiles(200, 1, augment=True), batch_size=16, shuffle=True)
    val = DataLoader(CellTiles(80, 2), batch_size=40)
    model = UNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(1, 10):
        model.train()
        total = 0.0
        for x, m in train:
            loss = criterion(model(x), m)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch:2d}/9  loss {total / len(train):.4f}  val IoU {iou(model, val):.3f}")


if __name__ == "__main__":
    main()
