"""Shapes are told from the ground, pixel by pixel.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

NUM_CLASSES = 3  # background, disc, box


class Shapes(Dataset):
    def __init__(self, n, size=24, seed=0):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[0:size, 0:size]
        self.images = np.zeros((n, 1, size, size), np.float32)
        self.masks = np.zeros((n, size, size), np.int64)
        for i in range(n):
            cy, cx, r = rng.uniform(5, size - 5), rng.uniform(5, size - 5), rng.uniform(3, 5)
            self.masks[i][(yy - cy) ** 2 + (xx - cx) ** 2 < r ** 2] = 1
            y0, x0 = rng.integers(0, size - 8, size=2)
            h, w = rng.integers(4, 8, size=2)
            self.masks[i][y0:y0 + h, x0:x0 + w] = 2
            levels = np.array([0.1, 0.5, 0.9], np.float32) + rng.normal(0, 0.03, 3).astype(np.float32)
            self.images[i, 0] = levels[self.masks[i]]
        self.images += rng.normal(0, 0.12, self.images.shape).astype(np.float32)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return torch.from_numpy(self.images[i]), torch.from_numpy(self.masks[i])


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self, base=10):
        super().__init__()
        self.down1 = block(1, base)
        self.down2 = block(base, 2 * base)
        self.mid = block(2 * base, 2 * base)
        self.up1 = block(3 * base, base)
        self.out = nn.Conv2d(base, NUM_CLASSES, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.mid(self.down2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.up1(torch.cat([a, b], dim=1)))


def pixel_loss(logits, masks):
    flat = logits.permute(0, 2, 3, 1).reshape(-1, NUM_CLASSES)
    return F.cross_entropy(flat, masks.reshape(-1))


@torch.no_grad()
def mean_iou(model, loader):
    model.eval()
    inter, union = torch.zeros(NUM_CLASSES), torch.zeros(NUM_CLASSES)
    for x, m in loader:
        p = model(x).argmax(1)
        for c in range(NUM_CLASSES):
            inter[c] += ((p == c) & (m == c)).sum()
            union[c] += ((p == c) | (m == c)).sum()
    return (inter / union.clamp(min=1)).mean().item()


def main():
    torch.manual_seed(4)
    train = DataLoader(Shapes(500, seed=1), batch_size=25, shuffle=True)
    test = DataLoader(Shapes(120, seed=2), batch_size=60)
    model = UNet()
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(8):
        model.train()
        running = 0.0
        for x, m in train:
            loss = pixel_loss(model(x), m)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            running += loss.item()
        print(f"epoch {epoch}: loss {running / len(train):.4f} mIoU {mean_iou(model, test):.4f}")
    print(f"final test mIoU: {mean_iou(model, test):.4f}")


if __name__ == "__main__":
    main()
