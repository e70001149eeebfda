"""Eight modes on a ring, drawn by a small generator against a discriminator.

fault: gradients-not-zeroed
also: 
split: train
line: 56
"""

import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(17)

N_MODES = 8
angles = torch.arange(N_MODES) * 2 * math.pi / N_MODES
centres = torch.stack([angles.cos(), angles.sin()], 1) * 1.5


def sample_real(n):
    which = torch.randint(0, N_MODES, (n,))
    return centres[which] + 0.1 * torch.randn(n, 2)


def mlp(cin, cout, hidden=64):
    return nn.Sequential(nn.Linear(cin, hidden), nn.LeakyReLU(0.2),
                         nn.Linear(hidden, hidden), nn.LeakyReLU(0.2),
                         nn.Linear(hidden, cout))


gen, disc = mlp(8, 2), mlp(2, 1)
opt_g = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.999))
bce = nn.BCEWithLogitsLoss()
batch = 128
ones, zeros = torch.ones(batch, 1), torch.zeros(batch, 1)


@torch.no_grad()
def quality(n=2000):
    gen.eval()
    pts = gen(torch.randn(n, 8))
    gen.train()
    dist, mode = torch.cdist(pts, centres).min(1)
    close = dist < 0.35
    return close.float().mean().item(), mode[close].unique().numel()


for step in range(1400):
    opt_d.zero_grad()
    opt_g.zero_grad()

    # discriminator
    fake = gen(torch.randn(batch, 8))
    d_loss = bce(disc(sample_real(batch)), ones) + bce(disc(fake), zeros)
    d_loss.backward()
    opt_d.step()

    # generator
    fake = gen(torch.randn(batch, 8))
    g_loss = bce(disc(fake), ones)
    g_loss.backward()
    opt_g.step()

    if step % 250 == 0:
        frac, modes = quality()
        print(f"step {step:4d} d {d_loss.item():.3f} g {g_loss.item():.3f} on-mode {frac:.2f} modes {modes}")

frac, modes = quality()
print(f"samples near a mode: {frac:.3f}, modes covered: {modes}/{N_MODES}")
