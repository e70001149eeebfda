"""GAN that learns eight Gaussian bumps on a ring.

split: train
"""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
angles = torch.arange(8) * math.pi / 4
centers = torch.stack([angles.cos(), angles.sin()], 1)


def real_batch(n):
    return centers[torch.randint(0, 8, (n,))] + 0.08 * torch.randn(n, 2)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, o))


G, D = mlp(8, 2), mlp(2, 1)
G_ema = copy.deepcopy(G).requires_grad_(False)
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))

for step in range(1, 2001):
    # discriminator, with a gradient penalty on the real points
    real = real_batch(128).requires_grad_(True)
    fake = G(torch.randn(128, 8)).detach()
    d_real = D(real)
    grad, = torch.autograd.grad(d_real.sum(), real, create_graph=True)
    d_loss = F.softplus(-d_real).mean() + F.softplus(D(fake)).mean() + 0.05 * grad.pow(2).sum(1).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    # generator, non-saturating
    g_loss = F.softplus(-D(G(torch.randn(128, 8)))).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    with torch.no_grad():
        for pe, p in zip(G_ema.parameters(), G.parameters()):
            pe.lerp_(p, 0.01)

    if step % 250 == 0:
        print(f"step {step} d_loss {d_loss.item():.3f} g_loss {g_loss.item():.3f}")

with torch.no_grad():
    samples = G_ema(torch.randn(4000, 8))
dist, nearest = torch.cdist(samples, centers).min(1)
share = torch.bincount(nearest[dist < 0.3], minlength=8) / len(samples)
print(f"modes covered {(share > 0.03).sum().item()}/8, samples near a mode {(dist < 0.3).float().mean():.3f}")
