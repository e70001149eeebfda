"""Outlines of blobs.

fault: scheduler-too-often
also: 
split: test
line: 92
"""

import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader


class BlobDataset(Dataset):
    """Noisy images with one ellipse and one distracting line; mask = ellipse."""

    def __init__(self, n, size=24, seed=0):
        g = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.images, self.masks = [], []
        for _ in range(n):
            cx, cy = (torch.rand(2, generator=g) * (size - 12) + 6).tolist()
            a, b = (torch.rand(2, generator=g) * 3 + 2.5).tolist()
            mask = (((xx - cx) / a) ** 2 + ((yy - cy) / b) ** 2 < 1).float()
            img = mask * 0.8
            row = int(torch.randint(0, size, (1,), generator=g))
            img[row] += 0.8
            img = img + 0.5 * torch.randn(size, size, generator=g)
            self.images.append(((img - 0.15) / 0.6).unsqueeze(0))
            self.masks.append(mask.unsqueeze(0))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        return self.images[i], self.masks[i]


class MiniUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.d1 = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU())
        self.d2 = nn.Sequential(nn.Conv2d(c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU())
        self.mid = nn.Sequential(nn.Conv2d(2 * c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU())
        self.u1 = nn.Sequential(nn.Conv2d(3 * c, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU())
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.mid(self.d2(F.max_pool2d(a, 2)))
        b = F.interpolate(b, scale_factor=2, mode="nearest")
        return self.out(self.u1(torch.cat([a, b], 1)))


def iou(model, loader):
    model.eval()
    inter = union = 0.0
    with torch.no_grad():
        for x, m in loader:
            p = model(x) > 0
            m = m > 0.5
            inter += (p & m).sum().item()
            union += (p | m).sum().item()
    return inter / max(union, 1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--step-size", type=int, default=3)
    ap.add_argument("--gamma", type=float, default=0.3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)

    train_dl = DataLoader(BlobDataset(480, seed=1), batch_size=16, shuffle=True)
    val_dl = DataLoader(BlobDataset(120, seed=2), batch_size=60)
    model = MiniUNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, args.step_size, gamma=args.gamma)
    for epoch in range(args.epochs):
        model.train()
        losses = []
        for x, m in train_dl:
            loss = F.binary_cross_entropy_with_logits(model(x), m)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
        print(f"epoch {epoch} loss {sum(losses) / len(losses):.4f} val IoU {iou(model, val_dl):.4f}")


if __name__ == "__main__":
    main()
