"""Points on a ring, made by a generator.

fault: graph-cut
also:
split: test
line: 53
"""

import math
import torch
import torch.nn as nn

torch.manual_seed(11)
Z = 8


def real_batch(n):
    k = torch.randint(0, 8, (n,))
    ang = k.float() * (2 * math.pi / 8)
    pts = torch.stack([torch.cos(ang), torch.sin(ang)], 1) * 2
    return pts + 0.1 * torch.randn(n, 2)


def mlp(i, o, h=96):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def radius_gap(G, n=2000):
    with torch.no_grad():
        pts = G(torch.randn(n, Z))
    return (pts.norm(dim=1) - 2).abs().mean().item()


def main():
    G, D = mlp(Z, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=5e-4, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(D.parameters(), lr=5e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    n = 128
    ones, zeros = torch.ones(n, 1), torch.zeros(n, 1)
    for step in range(2500):
        real = real_batch(n)
        fake = G(torch.randn(n, Z))

        # discriminator
        opt_d.zero_grad()
        loss_d = bce(D(real), ones) + bce(D(fake.detach()), zeros)
        loss_d.backward()
        opt_d.step()

        # generator
        opt_g.zero_grad()
        loss_g = bce(D(fake.detach()), ones)
        loss_g.backward()
        opt_g.step()

        if step % 500 == 0:
            print(f"step {step} D {loss_d.item():.3f} G {loss_g.item():.3f} gap {radius_gap(G):.3f}")
    print(f"mean distance from ring: {radius_gap(G):.3f}")


if __name__ == "__main__":
    main()
