"""WGAN-GP on a noisy ring.

split: test
"""
import math

import torch
import torch.nn as nn


def real_batch(n):
    a = torch.rand(n) * 2 * math.pi
    return torch.stack([a.cos(), a.sin()], 1) * (1.5 + 0.1 * torch.randn(n, 1))


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2), nn.Linear(h, o))


def gradient_penalty(critic, real, fake):
    eps = torch.rand(len(real), 1)
    x = (eps * real + (1 - eps) * fake).requires_grad_()
    g, = torch.autograd.grad(critic(x).sum(), x, create_graph=True)
    return (g.norm(dim=1) - 1).pow(2).mean()


def quality(gen, n=2000):
    with torch.no_grad():
        fake, real = gen(torch.randn(n, 4)), real_batch(n)
    on_ring = ((fake.norm(dim=1) - 1.5).abs() < 0.3).float().mean().item()
    energy = 2 * torch.cdist(fake, real).mean() - torch.cdist(fake, fake).mean() - torch.cdist(real, real).mean()
    return on_ring, energy.item()


def main(iters=600, n_critic=3, batch=128, gp_weight=0.1):
    torch.manual_seed(0)
    gen, critic = mlp(4, 2), mlp(2, 1)
    opt_g = torch.optim.Adam(gen.parameters(), lr=2e-3, betas=(0.0, 0.9))
    opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))
    sched = [torch.optim.lr_scheduler.LinearLR(o, 1.0, 0.05, iters) for o in (opt_g, opt_c)]
    for it in range(1, iters + 1):
        for _ in range(n_critic):
            real = real_batch(batch)
            fake = gen(torch.randn(batch, 4)).detach()
            c_loss = critic(fake).mean() - critic(real).mean() + gp_weight * gradient_penalty(critic, real, fake)
            opt_c.zero_grad()
            c_loss.backward()
            opt_c.step()
        g_loss = -critic(gen(torch.randn(batch, 4))).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
        for s in sched:
            s.step()
        if it % 100 == 0:
            on_ring, energy = quality(gen)
            print(f"iter {it} critic {c_loss.item():+.3f} gen {g_loss.item():+.3f} on the ring {on_ring:.3f} energy distance {energy:.4f}")


if __name__ == "__main__":
    main()
