"""A generator of a ring of six gaussians against a hinge loss.

split: train
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

# small hinge GAN on a ring of gaussians
SEED, BATCH, STEPS, Z = 1, 128, 1500, 8


def real_batch(n, modes=6, radius=2.0, std=0.1):
    k = torch.randint(modes, (n,))
    a = 2 * math.pi * k / modes
    c = torch.stack([a.cos(), a.sin()], 1) * radius
    return c + std * torch.randn(n, 2)


def mlp(i, o, h=64, act=nn.LeakyReLU):
    return nn.Sequential(nn.Linear(i, h), act(0.2), nn.Linear(h, h), act(0.2), nn.Linear(h, o))


def energy_distance(x, y):
    xy = torch.cdist(x, y).mean()
    xx = torch.cdist(x, x).mean()
    yy = torch.cdist(y, y).mean()
    return (2 * xy - xx - yy).item()


def run():
    torch.manual_seed(SEED)
    G, D = mlp(Z, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.999))
    opt_d = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.999))
    tail = []

    for it in range(STEPS):
        # discriminator
        real = real_batch(BATCH)
        fake = G(torch.randn(BATCH, Z)).detach()
        d_loss = F.relu(1 - D(real)).mean() + F.relu(1 + D(fake)).mean()
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()

        # generator
        opt_g.zero_grad()
        g_loss = -D(G(torch.randn(BATCH, Z))).mean()
        g_loss.backward()
        opt_g.step()

        if (it + 1) % 250 == 0:
            with torch.no_grad():
                ed = energy_distance(G(torch.randn(1000, Z)), real_batch(1000))
            if it + 1 > STEPS // 2:
                tail.append(ed)
            print(f"iter {it + 1:5d} d_loss {d_loss.item():.3f} g_loss {g_loss.item():.3f} energy distance {ed:.4f}")
    print("mean energy distance, second half: %.4f" % (sum(tail) / len(tail)))


if __name__ == "__main__":
    run()
