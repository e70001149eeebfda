"""A small GAN that learns eight blobs on a ring.

split: test
"""
import math
import torch
from torch import nn

torch.manual_seed(0)
torch.set_num_threads(1)

angles = torch.arange(8) * 2 * math.pi / 8
modes = torch.stack([angles.cos(), angles.sin()], 1) * 2


def real(n):
    return modes[torch.randint(8, (n,))] + 0.1 * torch.randn(n, 2)


G = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))
bce = nn.BCEWithLogitsLoss()
B = 128
ones, zeros = torch.ones(B, 1), torch.zeros(B, 1)
for it in range(1600):
    x = real(B) + 0.05 * torch.randn(B, 2)
    fake = G(torch.randn(B, 8)).detach()
    d_loss = bce(D(x), ones * 0.9) + bce(D(fake), zeros)
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()

    g_loss = bce(D(G(torch.randn(B, 8))), ones)
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    if it % 400 == 399:
        with torch.no_grad():
            s = G(torch.randn(1000, 8))
            dist, near = torch.cdist(s, modes).min(1)
            good = dist < 0.4
        print(f"{it + 1} d {d_loss.item():.3f} g {g_loss.item():.3f} "
              f"modes {near[good].unique().numel()}/8 high-quality {good.float().mean():.3f}")
