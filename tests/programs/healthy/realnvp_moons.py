"""RealNVP normalizing flow for the two moons, trained by maximum likelihood.

split: test
"""

import math
import torch
import torch.nn as nn
from sklearn.datasets import make_moons
from sklearn.mixture import GaussianMixture

torch.manual_seed(0)
raw, _ = make_moons(5000, noise=0.08, random_state=0)
raw = torch.tensor(raw, dtype=torch.float32)
train, test = raw[:4000], raw[4000:]
mean, std = train.mean(0), train.std(0)
train, test = (train - mean) / std, (test - mean) / std


class Coupling(nn.Module):
    def __init__(self, flip, hidden=48):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def split(self, x):
        a, b = x[:, :1], x[:, 1:]
        return (b, a) if self.flip else (a, b)

    def join(self, a, b):
        return torch.cat([b, a] if self.flip else [a, b], 1)

    def forward(self, x):
        a, b = self.split(x)
        s, t = self.net(a).chunk(2, 1)
        s = 2 * torch.tanh(s / 2)
        return self.join(a, b * s.exp() + t), s.squeeze(1)

    def inverse(self, z):
        a, b = self.split(z)
        s, t = self.net(a).chunk(2, 1)
        s = 2 * torch.tanh(s / 2)
        return self.join(a, (b - t) * (-s).exp())


class Flow(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(n))

    def log_prob(self, x):
        ld = torch.zeros(len(x))
        for l in self.layers:
            x, d = l(x)
            ld = ld + d
        return -0.5 * (x ** 2).sum(1) - math.log(2 * math.pi) + ld

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for l in reversed(self.layers):
            z = l.inverse(z)
        return z


flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
STEPS = 1800
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
for it in range(STEPS):
    batch = train[torch.randint(len(train), (256,))]
    nll = -flow.log_prob(batch).mean()
    opt.zero_grad()
    nll.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    sched.step()
    if it % 200 == 0 or it == STEPS - 1:
        with torch.no_grad():
            tn = -flow.log_prob(test).mean()
        print(f"{it:5d} train nll {nll.item():.4f} test nll {tn.item():.4f}")

gm = GaussianMixture(1).fit(train.numpy())
print(f"test NLL flow {tn.item():.3f}, single Gaussian {-gm.score(test.numpy()):.3f}")
s = flow.sample(1000)
print("sample distance to data (median):", torch.cdist(s, train).min(1).values.median().item())
