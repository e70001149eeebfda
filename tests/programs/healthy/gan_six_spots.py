"""A generator that learns a ring of six spots.

split: test
"""

import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)

MODES, Z = 6, 8
angles = torch.arange(MODES) * 2 * math.pi / MODES
centres = torch.stack([angles.cos(), angles.sin()], 1)


def real_batch(n):
    return centres[torch.randint(0, MODES, (n,))] + 0.15 * torch.randn(n, 2)


G = nn.Sequential(nn.Linear(Z, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.0, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.0, 0.99))
bce = nn.BCEWithLogitsLoss()
B = 128
ones, zeros = torch.ones(B, 1), torch.zeros(B, 1)


@torch.no_grad()
def quality(n=1000):
    s = G(torch.randn(n, Z))
    d = torch.cdist(s, centres)
    near, which = d.min(1)
    good = near < 0.4
    covered = len(torch.unique(which[good]))
    return good.float().mean().item(), covered


for step in range(1, 1001):
    # discriminator
    fake = G(torch.randn(B, Z)).detach()
    real = real_batch(B).requires_grad_(True)
    d_real = D(real)
    d_loss = bce(d_real, ones) + bce(D(fake), zeros)
    grad, = torch.autograd.grad(d_real.sum(), real, create_graph=True)
    r1 = grad.pow(2).sum(1).mean()
    opt_d.zero_grad()
    (d_loss + 0.05 * r1).backward()
    opt_d.step()

    # generator (non-saturating)
    g_loss = bce(D(G(torch.randn(B, Z))), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()

    if step % 200 == 0:
        share, covered = quality()
        print(f"step {step:4d}  D {d_loss.item():.3f}  G {g_loss.item():.3f}  "
              f"samples near a mode {share:.2f}  modes covered {covered}/{MODES}")
