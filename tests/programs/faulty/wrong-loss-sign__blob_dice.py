"""Segmentation of blobs with a small U-shaped net.

fault: wrong-loss-sign
also: 
split: train
line: 51
"""

import torch
from torch import nn

torch.manual_seed(31)
torch.set_num_threads(1)
SIZE = 24


def make_batch(n):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    cx, cy = torch.randint(6, 18, (2, n, 1, 1))
    r = torch.randint(3, 7, (n, 1, 1))
    mask = ((xx - cx) ** 2 + (yy - cy) ** 2 <= r ** 2).float()
    img = 0.6 * mask + 0.35 * torch.randn(n, SIZE, SIZE)
    return img.unsqueeze(1), mask.unsqueeze(1)


class MiniUNet(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.down1 = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.BatchNorm2d(c), nn.ReLU())
        self.down2 = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU(),
                                   nn.Conv2d(2 * c, 2 * c, 3, padding=1), nn.BatchNorm2d(2 * c), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.last = nn.Sequential(nn.Conv2d(2 * c, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, 1, 1))

    def forward(self, x):
        a = self.down1(x)
        b = self.up(self.down2(a))
        return self.last(torch.cat([a, b], dim=1))


class DiceLoss(nn.Module):
    def __init__(self, smooth=1.0):
        super().__init__()
        self.smooth = smooth

    def forward(self, logits, target):
        p = torch.sigmoid(logits).flatten(1)
        t = target.flatten(1)
        inter = (p * t).sum(1)
        dice = (2 * inter + self.smooth) / (p.sum(1) + t.sum(1) + self.smooth)
        return dice.mean()


def iou(logits, target):
    p, t = logits > 0, target > 0.5
    return ((p & t).sum((1, 2, 3)) / (p | t).sum((1, 2, 3)).clamp(min=1)).mean().item()


net, loss_fn = MiniUNet(), DiceLoss()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
val_img, val_mask = make_batch(100)
for it in range(1, 121):
    net.train()
    img, mask = make_batch(16)
    loss = loss_fn(net(img), mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 0:
        net.eval()
        with torch.no_grad():
            print(f"iter {it:3d} dice loss {loss.item():.4f} val IoU {iou(net(val_img), val_mask):.3f}")
