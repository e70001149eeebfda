"""Noise-predicting diffusion model for the two-moons density; EMA weights are used for sampling.

split: train
"""
import copy
import math

import torch
import torch.nn as nn
from sklearn.datasets import make_moons

STEPS = 50


class Denoiser(nn.Module):
    def __init__(self, h=96, freqs=8):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(0, math.log(30), freqs)))
        self.net = nn.Sequential(nn.Linear(2 + 2 * freqs, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(),
                                 nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x, t):
        a = (t.float() / STEPS)[:, None] * self.freqs
        return self.net(torch.cat([x, a.sin(), a.cos()], 1))


s = torch.linspace(0, 1, STEPS + 1)
f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
alphas = 1 - betas
abar = alphas.cumprod(0)


@torch.no_grad()
def sample(model, n):
    x = torch.randn(n, 2)
    for t in reversed(range(STEPS)):
        eps = model(x, torch.full((n,), t))
        x = (x - betas[t] / (1 - abar[t]).sqrt() * eps) / alphas[t].sqrt()
        if t:
            x = x + betas[t].sqrt() * torch.randn_like(x)
    return x


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def main():
    torch.manual_seed(0)
    pts = torch.tensor(make_moons(6000, noise=0.05, random_state=0)[0], dtype=torch.float32)
    mean, std = pts[:5000].mean(0), pts[:5000].std(0)
    pts = (pts - mean) / std
    train, held = pts[:5000], pts[5000:]
    model = Denoiser()
    ema = copy.deepcopy(model).requires_grad_(False)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    total = 2500
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total, eta_min=1e-5)
    avg = None
    for step in range(1, total + 1):
        x0 = train[torch.randint(0, len(train), (256,))]
        t = torch.randint(0, STEPS, (256,))
        noise = torch.randn_like(x0)
        xt = abar[t].sqrt()[:, None] * x0 + (1 - abar[t]).sqrt()[:, None] * noise
        loss = (model(xt, t) - noise).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        with torch.no_grad():
            for e, p in zip(ema.parameters(), model.parameters()):
                e.lerp_(p, 0.01)
        avg = loss.item() if avg is None else 0.99 * avg + 0.01 * loss.item()
        if step % 500 == 0:
            print(f"step {step} smoothed loss {avg:.4f}")
    print(f"energy distance to held-out points: model {energy_distance(sample(ema, 1000), held):.4f}, "
          f"gaussian {energy_distance(torch.randn(1000, 2), held):.4f}, train {energy_distance(train[:1000], held):.4f}")


if __name__ == "__main__":
    main()
