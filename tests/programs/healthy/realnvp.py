"""A normalising flow for two moons.

split: test
"""

import math
import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.set_num_threads(1)
torch.manual_seed(9)

pts, _ = make_moons(4000, noise=0.06, random_state=9)
pts = torch.tensor(pts, dtype=torch.float32)
pts = (pts - pts.mean(0)) / pts.std(0)
train, test = pts[:3400], pts[3400:]


class Coupling(nn.Module):
    def __init__(self, flip, h=48):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.flip(1).chunk(2, 1) if self.flip else x.chunk(2, 1)
        s, t = self.net(a).chunk(2, 1)
        s = 2 * torch.tanh(s / 2)
        b = b * s.exp() + t
        out = torch.cat([b, a], 1) if self.flip else torch.cat([a, b], 1)
        return out, s[:, 0]


class Flow(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.parts = nn.ModuleList(Coupling(bool(i % 2)) for i in range(n))

    def log_prob(self, x):
        z, ld = x, torch.zeros(len(x))
        for p in self.parts:
            z, s = p(z)
            ld = ld + s
        return -0.5 * z.pow(2).sum(1) - math.log(2 * math.pi) + ld


flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 400)
for it in range(400):
    x = train[torch.randint(0, len(train), (192,))]
    nll = -flow.log_prob(x).mean()
    opt.zero_grad()
    nll.backward()
    torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if it % 50 == 0 or it == 399:
        with torch.no_grad():
            print(f"{it:4d} train nll {nll.item():.3f}  test nll {-flow.log_prob(test).mean().item():.3f}")
g = torch.distributions.MultivariateNormal(train.mean(0), train.T.cov())
print(f"gaussian baseline nll {-g.log_prob(test).mean().item():.3f}")
