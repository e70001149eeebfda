"""A critic with a penalty on its gradient, and a ring.

split: test
"""

import math
import torch
from torch import nn, autograd

torch.set_num_threads(1)
torch.manual_seed(17)

MODES = 4
angles = torch.arange(MODES) * 2 * math.pi / MODES
CENTERS = torch.stack([angles.cos(), angles.sin()], 1) * 1.4


def real_batch(n):
    return CENTERS[torch.randint(0, MODES, (n,))] + 0.2 * torch.randn(n, 2)


def mlp(d_in, d_out, width=48):
    return nn.Sequential(
        nn.Linear(d_in, width), nn.LeakyReLU(0.2),
        nn.Linear(width, width), nn.LeakyReLU(0.2),
        nn.Linear(width, d_out),
    )


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    grad, = autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (grad.norm(dim=1) - 1).pow(2).mean()


def mode_report(gen, n=1000):
    gen.eval()
    with torch.no_grad():
        s = gen(torch.randn(n, 4))
        dist = torch.cdist(s, CENTERS)
        near, which = dist.min(1)
        covered = sum(((which == k) & (near < 0.6)).sum() > n / MODES / 5 for k in range(MODES))
    gen.train()
    return int(covered), (near < 0.6).float().mean().item()


gen, critic = mlp(4, 2), mlp(2, 1)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=2e-3, betas=(0.0, 0.9))

for it in range(701):
    for _ in range(2):
        real = real_batch(128)
        fake = gen(torch.randn(128, 4)).detach()
        loss_c = critic(fake).mean() - critic(real).mean() + 0.3 * gradient_penalty(critic, real, fake)
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
    loss_g = -critic(gen(torch.randn(128, 4))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    if it % 70 == 0:
        modes, close = mode_report(gen)
        print(f"it {it:4d}  critic {loss_c.item():+.3f}  gen {loss_g.item():+.3f}  modes {modes}/{MODES}  close {close:.2f}")
