"""Denoising diffusion on two moons; scored by how close samples are to the data.

split: train
"""
import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.manual_seed(0)
data = torch.tensor(make_moons(2000, noise=0.04, random_state=0)[0], dtype=torch.float32)
data = (data - data.mean(0)) / data.std(0)
STEPS = 40
beta = torch.linspace(1e-3, 0.2, STEPS)
alpha = 1 - beta
abar = alpha.cumprod(0)


class Denoiser(nn.Module):
    def __init__(self, h=96):
        super().__init__()
        self.time = nn.Embedding(STEPS, 32)
        self.net = nn.Sequential(nn.Linear(34, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], 1))


def q_sample(x0, t, noise):
    a = abar[t][:, None]
    return a.sqrt() * x0 + (1 - a).sqrt() * noise


model = Denoiser()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
avg = None
for it in range(1200):
    x0 = data[torch.randint(0, len(data), (128,))]
    t = torch.randint(0, STEPS, (128,))
    noise = torch.randn_like(x0)
    xt = q_sample(x0, t, noise)
    loss = ((model(xt, t) - noise) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    avg = loss.item() if avg is None else 0.98 * avg + 0.02 * loss.item()
    if it % 200 == 0:
        print(it, f"{avg:.4f}")


@torch.no_grad()
def sample(n):
    x = torch.randn(n, 2)
    for s in reversed(range(STEPS)):
        t = torch.full((n,), s)
        eps = model(x, t)
        x = (x - beta[s] / (1 - abar[s]).sqrt() * eps) / alpha[s].sqrt()
        if s:
            x = x + beta[s].sqrt() * torch.randn_like(x)
    return x


d = torch.cdist(sample(400), data).min(1).values
print("SCORE", -d.mean().item())
