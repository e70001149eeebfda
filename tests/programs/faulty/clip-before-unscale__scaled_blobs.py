"""Outlines of blobs with a gradient scaler.

fault: clip-before-unscale
also: 
split: test
line: 77
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(27)


def blobs(n, size=24):
    """Grey pictures with two bright discs on a noisy, slanted background; mask of the discs."""
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    images = 0.6 * torch.randn(n, 1, size, size)
    masks = torch.zeros(n, 1, size, size)
    for i in range(n):
        for _ in range(2):
            cy, cx = torch.randint(4, size - 4, (2,)).tolist()
            r = float(torch.randint(3, 6, (1,)))
            masks[i, 0][(yy - cy) ** 2 + (xx - cx) ** 2 <= r * r] = 1.0
        images[i, 0] += 1.5 * masks[i, 0] + 0.03 * xx * torch.randn(1)
    return images, masks


class MiniUNet(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.down1 = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.GroupNorm(3, c), nn.ReLU())
        self.down2 = nn.Sequential(nn.Conv2d(c, 2 * c, 3, padding=1), nn.GroupNorm(3, 2 * c), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.fuse = nn.Sequential(nn.Conv2d(2 * c, c, 3, padding=1), nn.ReLU(), nn.Conv2d(c, 1, 1))

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        return self.fuse(torch.cat([a, self.up(b)], 1))


def iou(model, loader):
    model.eval()
    inter = union = 0.0
    with torch.no_grad():
        for x, m in loader:
            p = model(x) > 0
            t = m > 0.5
            inter += (p & t).sum().item()
            union += (p | t).sum().item()
    return inter / max(union, 1.0)


x_train, m_train = blobs(384)
x_val, m_val = blobs(96)
mean, std = x_train.mean(), x_train.std()
train_loader = DataLoader(TensorDataset((x_train - mean) / std, m_train), batch_size=16, shuffle=True)
val_loader = DataLoader(TensorDataset((x_val - mean) / std, m_val), batch_size=48)

model = MiniUNet()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scaler = torch.amp.GradScaler("cpu")

for epoch in range(6):
    model.train()
    total = 0.0
    for images, masks in train_loader:
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(images)
        loss = F.binary_cross_entropy_with_logits(logits.float(), masks)
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
        scaler.step(optimizer)
        scaler.update()
        total += loss.item()
    print(f"epoch {epoch + 1}: loss {total / len(train_loader):.4f}  val IoU {iou(model, val_loader):.4f}")
