"""RealNVP on two moons: affine couplings whose last layers start at zero; the loss is a negative log-likelihood.

split: train
"""

import math

import torch
import torch.nn as nn
from sklearn.datasets import make_moons

torch.set_num_threads(1)
torch.manual_seed(75)


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.flip(1).chunk(2, 1) if self.flip else x.chunk(2, 1)
        scale, shift = self.net(a).chunk(2, 1)
        scale = torch.tanh(scale)
        b = b * scale.exp() + shift
        return torch.cat([a, b], 1), scale.sum(1)


class Flow(nn.Module):
    def __init__(self, layers=6):
        super().__init__()
        self.couplings = nn.ModuleList([Coupling(i % 2 == 1) for i in range(layers)])

    def forward(self, x):
        log_det = torch.zeros(len(x))
        for coupling in self.couplings:
            x, change = coupling(x)
            log_det = log_det + change
        return -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi) + log_det


points, _ = make_moons(4000, noise=0.06, random_state=0)
points = torch.tensor(points, dtype=torch.float32)
points = (points - points.mean(0)) / points.std(0)
train, test = points[:3500], points[3500:]
flow = Flow()
optimizer = torch.optim.Adam(flow.parameters(), lr=3e-3)
for step in range(350):
    batch = train[torch.randint(0, len(train), (128,))]
    loss = -flow(batch).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    optimizer.step()
    if step % 50 == 0:
        with torch.no_grad():
            print(f"step {step} held-out log-likelihood {flow(test).mean().item():.3f}")
with torch.no_grad():
    print(f"held-out log-likelihood {flow(test).mean().item():.3f}, of a Gaussian -2.84")
