"""A flow of coupling layers for a spiral.

split: test
"""

import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(30)


def two_spirals(n):
    t = torch.rand(n).sqrt() * 2.2 * math.pi
    sign = torch.where(torch.rand(n) < 0.5, 1.0, -1.0)
    p = torch.stack([t * t.cos(), t * t.sin()], 1) * sign[:, None] / 4
    return p + 0.08 * torch.randn(n, 2)


class Coupling(nn.Module):
    def __init__(self, flip, hidden=48):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = 1.5 * torch.tanh(s)
        b = b * s.exp() + t
        out = torch.cat([b, a] if self.flip else [a, b], 1)
        return out, s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, depth=6):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(depth))

    def log_prob(self, x):
        logdet = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi) + logdet


flow = Flow()
opt = torch.optim.AdamW(flow.parameters(), lr=4e-3, weight_decay=1e-5)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 450)
test = two_spirals(1500)
with torch.no_grad():
    print(f"start nll {-flow.log_prob(test).mean():.4f}")
for step in range(1, 451):
    loss = -flow.log_prob(two_spirals(256)).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if step % 50 == 0:
        with torch.no_grad():
            print(f"step {step} train nll {loss.item():.4f} test nll {-flow.log_prob(test).mean():.4f}")
