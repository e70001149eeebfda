"""RealNVP density estimation on a 2d pinwheel-like set.

split: test
"""

import math

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def pinwheel(n, seed, arms=4):
    rng = np.random.default_rng(seed)
    r = rng.normal(1.0, 0.25, n)
    tang = rng.normal(0, 0.07, n)
    k = rng.integers(0, arms, n)
    angle = k * 2 * np.pi / arms + 0.6 * np.exp(r - 1)
    x = r * np.cos(angle) - tang * np.sin(angle)
    y = r * np.sin(angle) + tang * np.cos(angle)
    return torch.tensor(np.stack([x, y], 1) * 1.3, dtype=torch.float32)


class Coupling(nn.Module):
    def __init__(self, flip, hid=48):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU(), nn.Linear(hid, 2))
        nn.init.zeros_(self.net[-1].weight)
        nn.init.zeros_(self.net[-1].bias)

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = 1.5 * torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, n=8):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(n))

    def log_prob(self, x):
        logdet = 0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return -0.5 * x.pow(2).sum(1) - math.log(2 * math.pi) + logdet


def main():
    torch.manual_seed(31)
    train, test = pinwheel(4000, 0), pinwheel(1000, 1)
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.9)
    with torch.no_grad():
        print(f"NLL of a standard normal: {-flow.log_prob(test).mean().item():.4f}")
    for epoch in range(14):
        flow.train()
        nll = []
        for xb in train[torch.randperm(len(train))].split(128):
            loss = -flow.log_prob(xb).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), 1.0)
            opt.step()
            nll.append(loss.item())
        sched.step()
        flow.eval()
        with torch.no_grad():
            t = -flow.log_prob(test).mean().item()
        print(f"epoch {epoch + 1:2d} train nll {np.mean(nll):.4f} test nll {t:.4f}")


if __name__ == "__main__":
    main()
