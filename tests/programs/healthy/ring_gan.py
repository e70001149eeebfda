"""A GAN on a ring.

split: test
"""

import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4)

Z = 4


def real(n):
    a = 2 * math.pi * torch.rand(n, 1)
    r = 1.0 + 0.05 * torch.randn(n, 1)
    return torch.cat([r * torch.cos(a), r * torch.sin(a)], 1)


G = nn.Sequential(nn.Linear(Z, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
B = 128
ones, zeros = torch.ones(B, 1), torch.zeros(B, 1)


def score(n=1000):
    with torch.no_grad():
        p = G(torch.randn(n, Z))
    radius = p.norm(dim=1)
    sector = ((torch.atan2(p[:, 1], p[:, 0]) + math.pi) / (2 * math.pi) * 12).long().clamp(0, 11)
    covered = (torch.bincount(sector, minlength=12) > 20).sum().item()
    return (radius - 1).abs().mean().item(), covered


for step in range(1, 1001):
    x = real(B)
    fake = G(torch.randn(B, Z))
    d_loss = bce(D(x), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    g_loss = bce(D(G(torch.randn(B, Z))), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    if step % 200 == 0:
        err, cov = score()
        print(f"step {step}  D {d_loss.item():.3f}  G {g_loss.item():.3f}  radius error {err:.3f}  sectors {cov}/12")
