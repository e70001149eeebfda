"""GAN on a ring of points.

fault: graph-cut
also:
split: train
line: 36
"""
import math
import torch
import torch.nn as nn

torch.manual_seed(0)


def real_batch(n):
    a = torch.rand(n) * 2 * math.pi
    return torch.stack([a.cos(), a.sin()], 1) * 1.5 + 0.05 * torch.randn(n, 2)


G = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
D = nn.Sequential(nn.Linear(2, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.99))
bce = nn.BCEWithLogitsLoss()
N = 128
ones, zeros = torch.ones(N, 1), torch.zeros(N, 1)
for step in range(800):
    x = real_batch(N)
    fake = G(torch.randn(N, 8))
    d_loss = bce(D(x), ones) + bce(D(fake.detach()), zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    fake = G(torch.randn(N, 8))
    g_loss = bce(D(fake.detach()), ones)
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    if step % 200 == 0:
        print(f"{step:5d}  d {d_loss.item():.3f}  g {g_loss.item():.3f}")
with torch.no_grad():
    r = G(torch.randn(2000, 8)).norm(dim=1)
print("radius", r.mean().item(), "+-", r.std().item())
print("SCORE", -((r - 1.5).abs().mean().item()))
