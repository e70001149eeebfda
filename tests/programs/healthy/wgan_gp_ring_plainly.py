"""WGAN-GP on a noisy circle.

split: test
"""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd

torch.manual_seed(1)
RADIUS, SIGMA = 1.3, 0.12


def real_batch(n):
    a = torch.rand(n) * 2 * math.pi
    r = RADIUS + SIGMA * torch.randn(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1)


class Generator(nn.Module):
    def __init__(self, z=4, h=64):
        super().__init__()
        self.z = z
        self.l1, self.l2, self.l3 = nn.Linear(z, h), nn.Linear(h, h), nn.Linear(h, 2)

    def forward(self, n):
        h = F.relu(self.l1(torch.randn(n, self.z)))
        return self.l3(F.relu(self.l2(h)))


class Critic(nn.Module):
    def __init__(self, h=64):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2),
                                 nn.Linear(h, 1))

    def forward(self, x):
        return self.net(x)


def gradient_penalty(D, real, fake):
    eps = torch.rand(real.size(0), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = D(mid)
    g, = autograd.grad(out.sum(), mid, create_graph=True)
    return ((g.norm(2, dim=1) - 1) ** 2).mean()


G, D = Generator(), Critic()
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
N, N_CRITIC, LAMBDA, STEPS = 128, 4, 1.0, 1100
sched_g = torch.optim.lr_scheduler.LambdaLR(opt_g, lambda s: 1 - 0.9 * s / STEPS)
sched_d = torch.optim.lr_scheduler.LambdaLR(opt_d, lambda s: 1 - 0.9 * s / STEPS)

for step in range(STEPS):
    for _ in range(N_CRITIC):
        real = real_batch(N)
        with torch.no_grad():
            fake = G(N)
        w = D(real).mean() - D(fake).mean()
        loss_d = -w + LAMBDA * gradient_penalty(D, real, fake)
        opt_d.zero_grad()
        loss_d.backward()
        opt_d.step()

    for p in D.parameters():
        p.requires_grad_(False)
    loss_g = -D(G(N)).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    for p in D.parameters():
        p.requires_grad_(True)
    sched_g.step()
    sched_d.step()
    if step % 100 == 0:
        print(f"step {step:5d}  W estimate {w.item():.4f}  critic {loss_d.item():.4f}  gen {loss_g.item():.4f}")

def sliced_w1(a, b, n=100):
    d = torch.randn(2, n)
    d = d / d.norm(dim=0)
    return ((a @ d).sort(0).values - (b @ d).sort(0).values).abs().mean().item()


with torch.no_grad():
    s = G(4000)
    r = s.norm(dim=1)
    sector = ((torch.atan2(s[:, 1], s[:, 0]) + math.pi) / (2 * math.pi) * 12).long().clamp(max=11)
share = torch.bincount(sector, minlength=12) / len(s)
print(f"radius {r.mean():.3f} +- {r.std():.3f} (true {RADIUS} +- {SIGMA}); share per 30-degree sector {share.min():.3f}..{share.max():.3f}")
print(f"sliced W1: generated {sliced_w1(s, real_batch(4000)):.4f}, real vs real {sliced_w1(real_batch(4000), real_batch(4000)):.4f}, "
      f"Gaussian {sliced_w1(torch.randn(4000, 2), real_batch(4000)):.4f}")
