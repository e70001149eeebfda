"""A generator and a discriminator on points in the plane.

split: test
"""

import argparse
import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--iters", type=int, default=1500)
parser.add_argument("--batch_size", type=int, default=128)
parser.add_argument("--z_dim", type=int, default=4)
parser.add_argument("--lr", type=float, default=5e-4)
opt = parser.parse_args()

torch.manual_seed(0)


def sample_real(n):
    u = torch.randn(n)
    v = 0.3 * torch.randn(n)
    return torch.stack([u + 1.5, 0.8 * u + v - 1.0], dim=1)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, o))


def energy_distance(a, b):
    d = torch.cdist
    return (2 * d(a, b).mean() - d(a, a).mean() - d(b, b).mean()).item()


G = mlp(opt.z_dim, 2)
D = mlp(2, 1)
bce = nn.BCEWithLogitsLoss()
optim_G = torch.optim.Adam(G.parameters(), lr=opt.lr, betas=(0.5, 0.999))
optim_D = torch.optim.Adam(D.parameters(), lr=opt.lr, betas=(0.5, 0.999))
ones = torch.ones(opt.batch_size, 1)
zeros = torch.zeros(opt.batch_size, 1)

for it in range(1, opt.iters + 1):
    # discriminator
    real = sample_real(opt.batch_size)
    fake = G(torch.randn(opt.batch_size, opt.z_dim))
    loss_D = 0.5 * (bce(D(real), 0.9 * ones) + bce(D(fake.detach()), zeros))
    optim_D.zero_grad()
    loss_D.backward()
    optim_D.step()

    # generator
    optim_G.zero_grad()
    loss_G = bce(D(fake), ones)
    loss_G.backward()
    optim_G.step()

    if it % 250 == 0:
        with torch.no_grad():
            ed = energy_distance(sample_real(1000), G(torch.randn(1000, opt.z_dim)))
        print(f"[{it}/{opt.iters}] loss_D {loss_D.item():.4f} loss_G {loss_G.item():.4f} energy distance {ed:.4f}")
