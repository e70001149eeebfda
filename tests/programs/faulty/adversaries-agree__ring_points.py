"""Points on a ring from an adversarial pair.

fault: adversaries-agree
also: wrong-loss-sign
split: train
line: 56
"""

import math
import torch
import torch.nn as nn

torch.manual_seed(88)
torch.set_num_threads(1)
Z = 2


def real_samples(n):
    a = 2 * math.pi * torch.rand(n)
    r = 2.0 + 0.2 * torch.randn(n)
    return torch.stack([r * torch.cos(a), r * torch.sin(a)], 1)


def mlp(i, o, act):
    return nn.Sequential(nn.Linear(i, 64), act, nn.Linear(64, 64), act, nn.Linear(64, o))


G = mlp(Z, 2, nn.LeakyReLU(0.2))
D = mlp(2, 1, nn.LeakyReLU(0.2))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
B = 128
ones, zeros = torch.ones(B, 1), torch.zeros(B, 1)


@torch.no_grad()
def ring_score(n=2000):
    """share of generated points whose radius lies within 0.5 of the ring, and angular coverage of 16 sectors"""
    p = G(torch.randn(n, Z))
    good = (p.norm(dim=1) - 2.0).abs() < 0.5
    sector = ((torch.atan2(p[:, 1], p[:, 0]) + math.pi) / (2 * math.pi) * 16).long().clamp(0, 15)
    return good.float().mean().item(), len(torch.unique(sector[good])) / 16


for step in range(1, 1001):
    # discriminator
    fake = G(torch.randn(B, Z))
    d_loss = bce(D(real_samples(B)), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    # generator
    fake = G(torch.randn(B, Z))
    g_loss = bce(D(fake), zeros)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    if step % 200 == 0:
        s, c = ring_score()
        print(f"step {step}: D {d_loss.item():.3f} G {g_loss.item():.3f} on-ring {s:.2f} coverage {c:.2f}")
