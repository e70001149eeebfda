"""RealNVP density model of the two moons.

split: train
"""
import math

import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.manual_seed(14)


class Coupling(nn.Module):
    def __init__(self, flip, hidden=32):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)      # start from the identity map
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s) * 2
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.layers = nn.ModuleList([Coupling(i % 2 == 1) for i in range(n)])

    def log_prob(self, x):
        logdet = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi) + logdet


def sample(n, seed):
    pts, _ = make_moons(n, noise=0.07, random_state=seed)
    return torch.tensor(pts, dtype=torch.float32)


train, val = sample(6000, 0), sample(1500, 1)
mu, sd = train.mean(0), train.std(0)
train, val = (train - mu) / sd, (val - mu) / sd

flow = Flow()
steps = 1000
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
for step in range(steps):
    batch = train[torch.randint(0, len(train), (128,))]
    nll = -flow.log_prob(batch).mean()
    opt.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if step % 200 == 0 or step == steps - 1:
        with torch.no_grad():
            v = -flow.log_prob(val).mean().item()
        print(f"step {step:4d} train nll {nll.item():.4f} val nll {v:.4f}")
print(f"score (val nll) {v:.4f}")
