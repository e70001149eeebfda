"""Points in a plane, out of noise.

split: test
"""

import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4)

T = 50
betas = torch.linspace(1e-4, 0.15, T)
alphas = 1 - betas
abar = torch.cumprod(alphas, 0)


def ring(n):
    k = torch.randint(0, 5, (n,))
    ang = k * (2 * math.pi / 5)
    return torch.stack([ang.cos(), ang.sin()], 1) * 1.4 + 0.1 * torch.randn(n, 2)


class Denoiser(nn.Module):
    def __init__(self, hid=128, temb=32):
        super().__init__()
        self.register_buffer("freq", torch.exp(torch.linspace(0, math.log(20), temb // 2)))
        self.inp = nn.Linear(2 + temb, hid)
        self.mid = nn.ModuleList([nn.Linear(hid, hid) for _ in range(2)])
        self.out = nn.Linear(hid, 2)

    def forward(self, x, t):
        e = (t.float() / T)[:, None] * self.freq
        h = nn.functional.silu(self.inp(torch.cat([x, e.sin(), e.cos()], 1)))
        for layer in self.mid:
            h = h + nn.functional.silu(layer(h))
        return self.out(h)


model = Denoiser()
ema = {k: v.clone() for k, v in model.state_dict().items()}
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.0)
steps = 1500
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps, eta_min=1e-5)

running = None
for step in range(1, steps + 1):
    x0 = ring(256)
    t = torch.randint(0, T, (256,))
    noise = torch.randn_like(x0)
    a = abar[t][:, None]
    xt = a.sqrt() * x0 + (1 - a).sqrt() * noise
    loss = (model(xt, t) - noise).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    with torch.no_grad():
        for k, v in model.state_dict().items():
            ema[k].lerp_(v, 0.01)
    running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
    if step % 250 == 0:
        print(f"step {step:5d} loss(avg) {running:.4f}")

model.load_state_dict(ema)
model.eval()
with torch.no_grad():
    x = torch.randn(1000, 2)
    for i in reversed(range(T)):
        eps = model(x, torch.full((1000,), i))
        x = (x - betas[i] / (1 - abar[i]).sqrt() * eps) / alphas[i].sqrt()
        if i > 0:
            x = x + betas[i].sqrt() * torch.randn_like(x)
ang = torch.arange(5) * (2 * math.pi / 5)
modes = torch.stack([ang.cos(), ang.sin()], 1) * 1.4
dist, which = torch.cdist(x, modes).min(1)
print(f"samples within 0.3 of a mode: {(dist < 0.3).float().mean():.3f}; modes hit: {which.unique().numel()}/5")
