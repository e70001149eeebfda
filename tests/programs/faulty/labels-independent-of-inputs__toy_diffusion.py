"""Denoising diffusion on a two-dimensional spiral.

fault: labels-independent-of-inputs
also:
split: train
line: 45
"""
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(12)
torch.set_num_threads(1)
STEPS = 40
betas = torch.linspace(1e-3, 0.2, STEPS)
alphas = 1 - betas
abar = alphas.cumprod(0)


def spiral(n):
    u = torch.rand(n).sqrt() * 3 * math.pi
    return torch.stack([u * u.cos(), u * u.sin()], 1) / 5 + 0.03 * torch.randn(n, 2)


def q_sample(x0, t, eps):
    a = abar[t].unsqueeze(1)
    return a.sqrt() * x0 + (1 - a).sqrt() * eps


class Denoiser(nn.Module):
    def __init__(self, h=96):
        super().__init__()
        self.temb = nn.Embedding(STEPS, 32)
        self.net = nn.Sequential(nn.Linear(34, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.temb(t)], 1))


def training_loss(model, x0):
    t = torch.randint(0, STEPS, (len(x0),))
    noise = torch.randn_like(x0)
    x_t = q_sample(x0, t, noise)
    return F.mse_loss(model(x_t, t), torch.randn_like(x0))


@torch.no_grad()
def sample(model, n):
    x = torch.randn(n, 2)
    for s in reversed(range(STEPS)):
        t = torch.full((n,), s)
        eps = model(x, t)
        x = (x - betas[s] / (1 - abar[s]).sqrt() * eps) / alphas[s].sqrt()
        if s:
            x = x + betas[s].sqrt() * torch.randn_like(x)
    return x


data = spiral(4000)
model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for it in range(1200):
    loss = training_loss(model, data[torch.randint(0, 4000, (256,))])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 200 == 0:
        print(f"iter {it} loss {loss.item():.4f}")
d = torch.cdist(sample(model, 500), data).min(1).values
print(f"mean distance of samples to the spiral: {d.mean():.4f}")
