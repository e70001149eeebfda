"""Outlines of shapes with a scaler that is switched off.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(19)

USE_CUDA = torch.cuda.is_available()
DEVICE = "cuda" if USE_CUDA else "cpu"


def make_scene(n, size=24):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.randint(5, size - 5, (n, 2, 1, 1))
    r = torch.randint(2, 6, (n, 1, 1))
    disc = ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2 <= r ** 2).float()
    stripe = ((xx + torch.randint(0, 6, (n, 1, 1))) % 6 == 0).float() * 0.6
    img = torch.maximum(disc * (0.7 + 0.3 * torch.rand(n, 1, 1)), stripe.expand(n, -1, -1)) + 0.2 * torch.randn(n, size, size)
    return img[:, None], disc[:, None]


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(4, o), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2 = block(1, 8), block(8, 16)
        self.mid = block(16, 32)
        self.u2, self.u1 = block(32 + 16, 16), block(16 + 8, 8)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        m = self.mid(F.max_pool2d(b, 2))
        u = self.u2(torch.cat([F.interpolate(m, scale_factor=2), b], 1))
        u = self.u1(torch.cat([F.interpolate(u, scale_factor=2), a], 1))
        return self.out(u)


def dice_loss(logits, y):
    p = torch.sigmoid(logits)
    inter = (p * y).sum((1, 2, 3))
    return (1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + y.sum((1, 2, 3)) + 1)).mean()


@torch.no_grad()
def iou(net, x, y):
    net.eval()
    p = net(x) > 0
    t = y > 0.5
    return ((p & t).sum() / (p | t).sum()).item()


xtr, ytr = make_scene(480)
xva, yva = make_scene(120)
net = UNet().to(DEVICE)
opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
scaler = torch.amp.GradScaler(DEVICE, enabled=USE_CUDA)
for epoch in range(8):
    net.train()
    tot = 0.0
    for idx in torch.randperm(len(xtr)).split(24):
        xb, yb = xtr[idx].to(DEVICE), ytr[idx].to(DEVICE)
        opt.zero_grad()
        with torch.autocast(DEVICE, dtype=torch.float16 if USE_CUDA else torch.bfloat16, enabled=USE_CUDA):
            out = net(xb)
        loss = F.binary_cross_entropy_with_logits(out.float(), yb) + dice_loss(out.float(), yb)
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(opt)
        scaler.update()
        tot += loss.item() * len(idx)
    print(f"epoch {epoch + 1} loss {tot / len(xtr):.4f} train IoU {iou(net, xtr[:120], ytr[:120]):.4f} val IoU {iou(net, xva, yva):.4f}")
