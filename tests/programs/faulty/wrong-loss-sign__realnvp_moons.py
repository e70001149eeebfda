"""Coupling-layer normalising flow on the two moons.

fault: wrong-loss-sign
also:
split: train
line: 53
"""
import torch
from sklearn.datasets import make_moons
from torch import nn

torch.manual_seed(6)
torch.set_num_threads(1)


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2))

    def split(self, x):
        a, b = x[:, :1], x[:, 1:]
        return (b, a) if self.flip else (a, b)

    def join(self, a, b):
        return torch.cat([b, a] if self.flip else [a, b], 1)

    def forward(self, x):
        a, b = self.split(x)
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s) * 2
        return self.join(a, b * s.exp() + t), s.squeeze(1)

    def inverse(self, z):
        a, b = self.split(z)
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s) * 2
        return self.join(a, (b - t) * (-s).exp())


class Flow(nn.Module):
    def __init__(self, n=6):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(bool(i % 2)) for i in range(n))
        self.base = torch.distributions.Normal(0.0, 1.0)

    def log_prob(self, x):
        total = torch.zeros(len(x))
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        return self.base.log_prob(x).sum(1) - total

    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in reversed(self.layers):
            z = layer.inverse(z)
        return z


pts = torch.tensor(make_moons(3000, noise=0.05, random_state=0)[0], dtype=torch.float32)
mean, std = pts.mean(0), pts.std(0)
pts = (pts - mean) / std
flow = Flow()
opt = torch.optim.Adam(flow.parameters(), lr=5e-3)
for it in range(500):
    xb = pts[torch.randint(0, len(pts), (128,))]
    loss = -flow.log_prob(xb).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
    opt.step()
    if it % 100 == 0:
        print("it", it, "nll %.3f" % loss.item())
with torch.no_grad():
    s = flow.sample(800)
    d = torch.cdist(s, pts).min(1).values.clamp(max=20)
    cover = torch.cdist(pts[:800], s).min(1).values.clamp(max=20)
print(f"fidelity {d.mean():.4f}  coverage {cover.mean():.4f}  sum {d.mean() + cover.mean():.4f}")
