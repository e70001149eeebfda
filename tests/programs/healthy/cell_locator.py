"""Detection-like task: find one cell in a microscope-like picture: its box and its type.

split: train
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def render(n, seed, size=24):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[:size, :size] + 0.5
    imgs = rng.normal(0, 0.15, (n, 1, size, size)).astype(np.float32)
    boxes = np.zeros((n, 4), np.float32)
    kinds = rng.integers(0, 3, n)
    for i in range(n):
        w, h = rng.uniform(6, 11, 2)
        cx, cy = rng.uniform(w / 2, size - w / 2), rng.uniform(h / 2, size - h / 2)
        r = ((xx - cx) / (w / 2)) ** 2 + ((yy - cy) / (h / 2)) ** 2
        if kinds[i] == 0:                       # full disc
            cell = r < 1
        elif kinds[i] == 1:                     # ring
            cell = (r < 1) & (r > 0.35)
        else:                                   # cross
            cell = ((abs(xx - cx) < w / 8) | (abs(yy - cy) < h / 8)) & (abs(xx - cx) < w / 2) & (abs(yy - cy) < h / 2)
        imgs[i, 0] += cell
        boxes[i] = np.array([cx, cy, w, h]) / size
    return torch.from_numpy(imgs), torch.from_numpy(boxes), torch.from_numpy(kinds)


class Locator(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 32, 3, padding=1), nn.ReLU(), nn.Flatten(),
            nn.Linear(32 * 36, 96), nn.ReLU())
        self.box = nn.Linear(96, 4)
        self.kind = nn.Linear(96, 3)

    def forward(self, x):
        h = self.backbone(x)
        return torch.sigmoid(self.box(h)), self.kind(h)


def box_iou(a, b):
    lo = torch.maximum(a[:, :2] - a[:, 2:] / 2, b[:, :2] - b[:, 2:] / 2)
    hi = torch.minimum(a[:, :2] + a[:, 2:] / 2, b[:, :2] + b[:, 2:] / 2)
    inter = (hi - lo).clamp(min=0).prod(1)
    return inter / (a[:, 2:].prod(1) + b[:, 2:].prod(1) - inter)


def main():
    torch.manual_seed(9)
    X, B, K = render(2000, 0)
    Xv, Bv, Kv = render(400, 1)
    net = Locator()
    opt = torch.optim.RMSprop(net.parameters(), lr=7e-4)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    for epoch in range(16):
        net.train()
        for idx in torch.randperm(len(X)).split(40):
            box, kind = net(X[idx])
            loss = 10 * F.l1_loss(box, B[idx]) + F.cross_entropy(kind, K[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
        sched.step()
        if epoch % 3 == 0 or epoch == 15:
            net.eval()
            with torch.no_grad():
                box, kind = net(Xv)
            print(f"epoch {epoch + 1}: held-out mean IoU {box_iou(box, Bv).mean():.3f}, "
                  f"type acc {(kind.argmax(1) == Kv).float().mean():.3f}")


if __name__ == "__main__":
    main()
