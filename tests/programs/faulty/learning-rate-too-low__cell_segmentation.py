"""Segment bright cells on an uneven background with a small U-Net.

fault: learning-rate-too-low
also:
split: test
line: 63
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_slides(n, seed, size=32):
    g = torch.Generator().manual_seed(seed)
    grid = torch.arange(size).float()
    yy, xx = torch.meshgrid(grid, grid, indexing="ij")
    img = 0.35 * torch.randn(n, 1, size, size, generator=g)
    mask = torch.zeros(n, 1, size, size)
    slope = torch.randn(n, 2, generator=g) * 0.03
    for i in range(n):
        for _ in range(int(torch.randint(1, 4, (), generator=g))):
            cy, cx = (torch.rand(2, generator=g) * (size - 10) + 5).tolist()
            r = 3 + 3 * torch.rand((), generator=g)
            cell = ((yy - cy) ** 2 + (xx - cx) ** 2) < r ** 2
            mask[i, 0][cell] = 1.0
        img[i, 0] += mask[i, 0] + slope[i, 0] * (yy - size / 2) + slope[i, 1] * (xx - size / 2)
    return (img - 0.2) / 0.6, mask


def conv(a, b):
    return nn.Sequential(nn.Conv2d(a, b, 3, padding=1), nn.ReLU(), nn.Conv2d(b, b, 3, padding=1), nn.ReLU())


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.d1, self.d2, self.mid = conv(1, 8), conv(8, 16), conv(16, 24)
        self.u2, self.u1 = conv(24 + 16, 16), conv(16 + 8, 8)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(F.max_pool2d(a, 2))
        c = self.mid(F.max_pool2d(b, 2))
        b = self.u2(torch.cat([F.interpolate(c, scale_factor=2), b], 1))
        a = self.u1(torch.cat([F.interpolate(b, scale_factor=2), a], 1))
        return self.out(a)


@torch.no_grad()
def dice(model, x, m):
    model.eval()
    p = (torch.cat([model(c) for c in x.split(100)]) > 0).float()
    model.train()
    return (2 * (p * m).sum() / (p.sum() + m.sum()).clamp(min=1)).item()


def main():
    torch.manual_seed(13)
    x, m = make_slides(800, 1)
    xv, mv = make_slides(150, 2)
    model = UNet()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, betas=(0.9, 0.999), eps=1.0)
    step = 0
    for epoch in range(8):
        for idx in torch.randperm(len(x)).split(16):
            loss = F.binary_cross_entropy_with_logits(model(x[idx]), m[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
        print(f"epoch {epoch} step {step} loss {loss.item():.4f} dice {dice(model, xv, mv):.4f}")
    print(f"score (dice) {dice(model, xv, mv):.4f}")


if __name__ == "__main__":
    main()
