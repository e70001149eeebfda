"""DDPM on a two-dimensional spiral.

split: test
"""

import math
import torch
from torch import nn

torch.manual_seed(5)
T = 50


def spiral(n):
    th = torch.rand(n).sqrt() * 3 * math.pi + 0.5
    pts = torch.stack([th * th.cos(), th * th.sin()], 1) / 6.0
    return pts + 0.02 * torch.randn(n, 2)


data = spiral(8000)
mu, sd = data.mean(0), data.std()
data = (data - mu) / sd

s = torch.linspace(0, 1, T + 1)
f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
alphas = 1 - betas
abar = alphas.cumprod(0)


class Denoiser(nn.Module):
    def __init__(self, h=128, emb=32):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(200), emb // 2)))
        self.inp = nn.Linear(2, h)
        self.temb = nn.Sequential(nn.Linear(emb, h), nn.SiLU(), nn.Linear(h, h))
        self.l1, self.l2 = nn.Linear(h, h), nn.Linear(h, h)
        self.out = nn.Linear(h, 2)
        self.act = nn.SiLU()

    def forward(self, x, t):
        a = (t.float() / T)[:, None] * self.freq
        e = self.temb(torch.cat([a.sin(), a.cos()], 1))
        h = self.act(self.inp(x) + e)
        h = h + self.act(self.l1(h) + e)
        h = h + self.act(self.l2(h))
        return self.out(h)


net = Denoiser()
opt = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
STEPS = 3500
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
ema = {k: v.clone() for k, v in net.state_dict().items()}
avg = None
for step in range(STEPS):
    x0 = data[torch.randint(len(data), (256,))]
    t = torch.randint(0, T, (256,))
    eps = torch.randn_like(x0)
    ab = abar[t][:, None]
    pred = net(ab.sqrt() * x0 + (1 - ab).sqrt() * eps, t)
    loss = (pred - eps).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    with torch.no_grad():
        for k, v in net.state_dict().items():
            ema[k].lerp_(v, 0.01)
    avg = loss.item() if avg is None else 0.99 * avg + 0.01 * loss.item()
    if step % 500 == 0 or step == STEPS - 1:
        print(f"{step:5d} loss (smoothed) {avg:.4f}")

net.load_state_dict(ema)
net.eval()
with torch.no_grad():
    x = torch.randn(2000, 2)
    for t in reversed(range(T)):
        e = net(x, torch.full((len(x),), t))
        x = (x - betas[t] / (1 - abar[t]).sqrt() * e) / alphas[t].sqrt()
        if t > 0:
            x = x + betas[t].sqrt() * torch.randn_like(x)
    ref = (spiral(4000) - mu) / sd
    d = torch.cdist(x, ref).min(1).values
    cover = torch.cdist(ref, x).min(1).values
    noise = torch.cdist(torch.randn(2000, 2), ref).min(1).values
print(f"sample->data median {d.median():.4f} 90% {d.quantile(0.9):.4f}; data->sample 90% {cover.quantile(0.9):.4f}; plain Gaussian {noise.median():.4f}")
