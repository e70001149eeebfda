"""Two moons by denoising diffusion; samples come from an average of the weights.

fault: weights-not-loaded
also:
split: train
line: 69
"""

import copy

import numpy as np
import torch
from sklearn.datasets import make_moons
from torch import nn

STEPS = 40
BETAS = torch.linspace(1e-3, 0.2, STEPS)
ALPHA_BAR = torch.cumprod(1 - BETAS, 0)


class Denoiser(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.time = nn.Embedding(STEPS, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.out = nn.Linear(width, 2)

    def forward(self, x, t):
        return self.out(self.mid(self.inp(x) + self.time(t)))


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval()
        for p in self.shadow.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.mul_(self.decay).add_(p, alpha=1 - self.decay)


@torch.no_grad()
def sample(net, n):
    x = torch.randn(n, 2)
    for t in reversed(range(STEPS)):
        eps = net(x, torch.full((n,), t))
        a = 1 - BETAS[t]
        x = (x - BETAS[t] / (1 - ALPHA_BAR[t]).sqrt() * eps) / a.sqrt()
        if t > 0:
            x = x + BETAS[t].sqrt() * torch.randn_like(x)
    return x


def chamfer(a, b):
    d = torch.cdist(a, b)
    return (d.min(1).values.mean() + d.min(0).values.mean()).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    pts, _ = make_moons(4000, noise=0.04, random_state=2)
    pts = torch.tensor((pts - pts.mean(0)) / pts.std(0), dtype=torch.float32)
    net = Denoiser()
    ema = EMA(net, decay=0.9999)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    losses = []
    for it in range(1, 1501):
        x0 = pts[torch.randint(0, len(pts), (128,))]
        t = torch.randint(0, STEPS, (128,))
        noise = torch.randn_like(x0)
        ab = ALPHA_BAR[t].unsqueeze(1)
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * noise
        loss = ((net(xt, t) - noise) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(net)
        losses.append(loss.item())
        if it % 500 == 0:
            print(f"it {it} loss {np.mean(losses[-500:]):.4f} chamfer to data {chamfer(sample(ema.shadow, 1000), pts[:1000]):.3f}")


main()
