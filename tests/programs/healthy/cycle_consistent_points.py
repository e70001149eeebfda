"""Cycle-consistent translation between two point sets: two generators, two critics.

split: train
"""

import itertools
import torch
from torch import nn

torch.manual_seed(0)


def mlp():
    return nn.Sequential(nn.Linear(2, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 2))


class Disc(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(2, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, 1))


G, F_, DA, DB = mlp(), mlp(), Disc(), Disc()
og = torch.optim.Adam(itertools.chain(G.parameters(), F_.parameters()), lr=1e-3, betas=(0.5, 0.99))
od = torch.optim.Adam(itertools.chain(DA.parameters(), DB.parameters()), lr=1e-3, betas=(0.5, 0.99))


def domain_a(n):
    return torch.randn(n, 2) * torch.tensor([0.5, 0.2])


def domain_b(n):
    return torch.randn(n, 2) * torch.tensor([0.2, 0.5]) + torch.tensor([2.0, 0.0])


mse = nn.functional.mse_loss
for it in range(500):
    a, b = domain_a(64), domain_b(64)
    fb, fa = G(a), F_(b)
    for p in itertools.chain(DA.parameters(), DB.parameters()):
        p.requires_grad_(False)
    pa, pb = DA(fa), DB(fb)
    cyc = (F_(fb) - a).abs().mean() + (G(fa) - b).abs().mean()
    lg = mse(pa, torch.ones_like(pa)) + mse(pb, torch.ones_like(pb)) + 5 * cyc
    og.zero_grad()
    lg.backward()
    og.step()
    for p in itertools.chain(DA.parameters(), DB.parameters()):
        p.requires_grad_(True)
    ld = 0
    for D, real, fake in ((DA, a, fa), (DB, b, fb)):
        r, f = D(real), D(fake.detach())
        ld = ld + 0.5 * (mse(r, torch.ones_like(r)) + mse(f, torch.zeros_like(f)))
    od.zero_grad()
    ld.backward()
    od.step()
    if it % 100 == 99:
        with torch.no_grad():
            out = G(domain_a(500))
        print(it, "cycle", round(cyc.item(), 3), "G mean", out.mean(0).tolist(), "d", round(ld.item(), 3))
