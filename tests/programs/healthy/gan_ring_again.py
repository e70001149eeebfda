"""A GAN on a ring of points.

split: test
"""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)


def real_batch(n):
    """Points on a noisy circle of radius 1."""
    a = torch.rand(n) * 2 * math.pi
    r = 1 + 0.05 * torch.randn(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1)


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


Z = 4
gen, disc = mlp(Z, 2), mlp(2, 1)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.999))


def d_loss_fn(real, fake):
    # hinge-free, non-saturating game with logits
    return F.softplus(-disc(real)).mean() + F.softplus(disc(fake)).mean()


def quality(n=1000):
    with torch.no_grad():
        p = gen(torch.randn(n, Z))
    radius_error = (p.norm(dim=1) - 1).abs().mean().item()
    sector = ((torch.atan2(p[:, 1], p[:, 0]) + math.pi) / (2 * math.pi) * 12).long().clamp(0, 11)
    covered = (torch.bincount(sector, minlength=12) > n // 100).sum().item()
    return radius_error, covered


print("before training: radius error %.3f, sectors %d/12" % quality())
for step in range(1, 1501):
    real = real_batch(128)
    fake = gen(torch.randn(128, Z))

    real.requires_grad_(True)
    out = disc(real)
    grad, = torch.autograd.grad(out.sum(), real, create_graph=True)
    r1 = grad.pow(2).sum(1).mean()
    d_loss = d_loss_fn(real, fake.detach()) + 0.1 * r1
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = F.softplus(-disc(fake)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    if step % 300 == 0:
        err, cov = quality()
        print(f"step {step} d {d_loss.item():.3f} g {g_loss.item():.3f} radius error {err:.3f} sectors {cov}/12")
