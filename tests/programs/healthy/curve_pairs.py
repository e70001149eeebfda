"""Masked set encoder with two tasks: count the valid points (regression) and fit the slope (warm-up + cosine).

split: train
"""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class C:
    n_max: int = 12
    dim: int = 32
    steps: int = 700
    warmup: int = 50
    batch: int = 64
    lr: float = 3e-3


def draw(n, c, gen):
    count = torch.randint(4, c.n_max + 1, (n,), generator=gen)
    valid = torch.arange(c.n_max)[None] < count[:, None]
    slope = torch.rand(n, 1, generator=gen) * 2 - 1
    x = torch.rand(n, c.n_max, generator=gen) * 2 - 1
    y = slope * x + 0.1 * torch.randn(n, c.n_max, generator=gen)
    junk = torch.randn(n, c.n_max, 2, generator=gen)
    pts = torch.where(valid[..., None], torch.stack([x, y], -1), junk)     # padding holds junk on purpose
    return pts, valid, (count - 8) / 2.6, slope.squeeze(1)


class SetEncoder(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(2, c.dim), nn.GELU(), nn.Linear(c.dim, c.dim))
        self.q, self.k, self.v = (nn.Linear(c.dim, c.dim) for _ in range(3))
        self.ff = nn.Sequential(nn.LayerNorm(c.dim), nn.Linear(c.dim, 64), nn.GELU(), nn.Linear(64, c.dim))
        self.count = nn.Linear(c.dim, 1)
        self.slope = nn.Sequential(nn.Linear(c.dim, 32), nn.GELU(), nn.Linear(32, 1))

    def forward(self, pts, valid):
        h = self.inp(pts)
        score = self.q(h) @ self.k(h).transpose(1, 2) / math.sqrt(h.shape[-1])
        score = score.masked_fill(~valid[:, None, :], float("-inf"))
        h = h + score.softmax(-1) @ self.v(h)
        h = h + self.ff(h)
        total = (h * valid[..., None]).sum(1)
        mean = total / valid.sum(1, keepdim=True)
        return self.count(total / 8).squeeze(1), self.slope(mean).squeeze(1)


def main():
    c = C()
    torch.manual_seed(16)
    gen = torch.Generator().manual_seed(16)
    val = draw(1000, c, gen)
    model = SetEncoder(c)
    opt = torch.optim.AdamW(model.parameters(), lr=c.lr, weight_decay=0.01)

    def factor(s):
        if s < c.warmup:
            return (s + 1) / c.warmup
        return 0.5 * (1 + math.cos(math.pi * (s - c.warmup) / (c.steps - c.warmup)))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for step in range(c.steps):
        pts, valid, count, slope = draw(c.batch, c, gen)
        pc, ps = model(pts, valid)
        loss = F.mse_loss(pc, count) + 3.0 * F.mse_loss(ps, slope)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 100 == 0 or step == c.steps - 1:
            with torch.no_grad():
                pc, ps = model(val[0], val[1])
            acc = ((pc - val[2]).abs() < 0.5 / 2.6).float().mean().item()
            r2 = 1 - F.mse_loss(ps, val[3]).item() / val[3].var().item()
            print(f"step {step:4d} loss {loss.item():.4f} count acc {acc:.3f} slope R2 {r2:.3f}")
    print(f"score {acc:.4f} {r2:.4f}")


if __name__ == "__main__":
    main()
