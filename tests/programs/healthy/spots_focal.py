"""Spots and where they lie, with a focal loss and offsets of the few positives.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(10)
S = 8


def scenes(n):
    img = 0.1 * torch.randn(n, 1, 32, 32)
    obj = torch.zeros(n, S, S)
    off = torch.zeros(n, 2, S, S)
    for i in range(n):
        for _ in range(int(torch.randint(1, 3, (1,)))):
            cy, cx = (2 + torch.rand(2) * 27).tolist()
            yy, xx = torch.meshgrid(torch.arange(32), torch.arange(32), indexing="ij")
            img[i, 0] += torch.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / 4)
            gy, gx = int(cy // 4), int(cx // 4)
            obj[i, gy, gx] = 1
            off[i, :, gy, gx] = torch.tensor([cy / 4 - gy, cx / 4 - gx])
    return img, obj, off


def focal(logit, target, alpha=0.75, gamma=2.0):
    ce = F.binary_cross_entropy_with_logits(logit, target, reduction="none")
    p = torch.sigmoid(logit)
    pt = p * target + (1 - p) * (1 - target)
    a = alpha * target + (1 - alpha) * (1 - target)
    return (a * (1 - pt) ** gamma * ce).sum() / target.sum().clamp(min=1)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
                                  nn.Conv2d(16, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
                                  nn.Conv2d(32, 32, 3, padding=1), nn.ReLU())
        self.obj = nn.Conv2d(32, 1, 1)
        self.off = nn.Conv2d(32, 2, 1)
        nn.init.constant_(self.obj.bias, -3.5)

    def forward(self, x):
        h = self.body(x)
        return self.obj(h)[:, 0], self.off(h).sigmoid()


img, obj, off = scenes(700)
det = Detector()
opt = torch.optim.AdamW(det.parameters(), lr=2e-3)
for epoch in range(12):
    det.train()
    for idx in torch.randperm(560).split(28):
        logit, box = det(img[idx])
        mask = obj[idx].bool()
        l_obj = focal(logit, obj[idx])
        l_box = (box - off[idx]).abs().permute(0, 2, 3, 1)[mask].mean()
        loss = l_obj + 2 * l_box
        opt.zero_grad()
        loss.backward()
        opt.step()
    det.eval()
    with torch.no_grad():
        logit, box = det(img[560:])
        hit = (logit > 0) & obj[560:].bool()
        f1 = 2 * hit.sum() / ((logit > 0).sum() + obj[560:].sum())
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} obj {l_obj.item():.3f} box {l_box.item():.3f} F1 {f1.item():.3f}")
