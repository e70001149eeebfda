"""Shapes are segmented by a small convolution network.

fault: scheduler-too-often
also: 
split: test
line: 80
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)


class ShapesDataset(Dataset):
    """Noisy 24x24 images with a bright disc or square; the mask marks the object."""

    def __init__(self, n, seed):
        rng = np.random.RandomState(seed)
        yy, xx = np.mgrid[0:24, 0:24]
        imgs, masks = [], []
        for _ in range(n):
            cx, cy = rng.randint(6, 18, size=2)
            r = rng.randint(3, 7)
            if rng.rand() < 0.5:
                m = (xx - cx) ** 2 + (yy - cy) ** 2 <= r * r
            else:
                m = (abs(xx - cx) <= r) & (abs(yy - cy) <= r)
            img = 0.9 * m + rng.normal(0, 0.6, m.shape)
            imgs.append(img)
            masks.append(m)
        x = np.stack(imgs).astype("float32")
        self.x = torch.from_numpy((x - 0.2) / 0.7).unsqueeze(1)
        self.y = torch.from_numpy(np.stack(masks).astype("float32")).unsqueeze(1)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class MiniUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.d1 = nn.Conv2d(1, c, 3, padding=1)
        self.d2 = nn.Conv2d(c, 2 * c, 3, padding=1)
        self.mid = nn.Conv2d(2 * c, 2 * c, 3, padding=1)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.u1 = nn.Conv2d(2 * c, c, 3, padding=1)
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = F.relu(self.d1(x))
        b = F.relu(self.d2(F.max_pool2d(a, 2)))
        b = F.relu(self.mid(b))
        u = self.up(b)
        return self.out(F.relu(self.u1(torch.cat([u, a], dim=1))))


def iou(logits, target):
    pred = logits > 0
    target = target > 0.5
    inter = (pred & target).sum((1, 2, 3)).float()
    union = (pred | target).sum((1, 2, 3)).float().clamp(min=1)
    return (inter / union).mean().item()


def train_one_epoch(model, loader, optimizer, scheduler):
    model.train()
    total = 0.0
    for x, y in loader:
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(model(x), y)
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.item()
    return total / len(loader)


def main():
    torch.manual_seed(8)
    train_loader = DataLoader(ShapesDataset(480, seed=0), batch_size=16, shuffle=True)
    test_loader = DataLoader(ShapesDataset(128, seed=1), batch_size=128)
    model = MiniUNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.5)
    for epoch in range(8):
        loss = train_one_epoch(model, train_loader, optimizer, scheduler)
        model.eval()
        with torch.no_grad():
            score = sum(iou(model(x), y) for x, y in test_loader) / len(test_loader)
        print(f"epoch {epoch} bce {loss:.4f} test IoU {score:.3f}")


if __name__ == "__main__":
    main()
