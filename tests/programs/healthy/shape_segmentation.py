"""U-Net style segmentation of bright blobs and squares on noisy backgrounds.

split: test
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset


class Shapes(Dataset):
    def __init__(self, n, seed, size=32):
        rng = np.random.default_rng(seed)
        yy, xx = np.mgrid[:size, :size]
        self.x = np.zeros((n, 1, size, size), np.float32)
        self.y = np.zeros((n, 1, size, size), np.float32)
        for i in range(n):
            mask = np.zeros((size, size), bool)
            for _ in range(rng.integers(1, 4)):
                cx, cy, r = rng.uniform(6, size - 6), rng.uniform(6, size - 6), rng.uniform(3, 7)
                if rng.random() < 0.5:
                    mask |= (xx - cx) ** 2 + (yy - cy) ** 2 < r * r
                else:
                    mask |= (abs(xx - cx) < r) & (abs(yy - cy) < r)
            level = rng.uniform(0.5, 0.9)
            self.x[i, 0] = 0.2 * rng.random() + level * mask + rng.normal(0, 0.3, mask.shape)
            self.y[i, 0] = mask

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return torch.from_numpy(self.x[i]), torch.from_numpy(self.y[i])


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True),
                         nn.Conv2d(o, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.d1, self.d2, self.mid = block(1, c), block(c, 2 * c), block(2 * c, 4 * c)
        self.up2 = nn.ConvTranspose2d(4 * c, 2 * c, 2, 2)
        self.u2 = block(4 * c, 2 * c)
        self.up1 = nn.ConvTranspose2d(2 * c, c, 2, 2)
        self.u1 = block(2 * c, c)
        self.out = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([self.up2(m), b], 1))
        a = self.u1(torch.cat([self.up1(b), a], 1))
        return self.out(a)


def dice_loss(logits, target, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * target).sum((1, 2, 3))
    return (1 - (2 * inter + eps) / (p.sum((1, 2, 3)) + target.sum((1, 2, 3)) + eps)).mean()


@torch.no_grad()
def iou(model, loader):
    model.eval()
    inter = union = 0
    for x, y in loader:
        p = model(x) > 0
        y = y.bool()
        inter += (p & y).sum().item()
        union += (p | y).sum().item()
    return inter / union


def main():
    torch.manual_seed(2)
    train_dl = DataLoader(Shapes(500, 0), batch_size=20, shuffle=True)
    val_dl = DataLoader(Shapes(100, 1), batch_size=50)
    test_dl = DataLoader(Shapes(150, 2), batch_size=50)
    net = UNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(10):
        net.train()
        total = 0.0
        for x, y in train_dl:
            out = net(x)
            loss = F.binary_cross_entropy_with_logits(out, y) + dice_loss(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch + 1} loss {total / len(train_dl):.4f} val IoU {iou(net, val_dl):.4f}")
    print(f"test IoU {iou(net, test_dl):.4f}")


if __name__ == "__main__":
    main()
