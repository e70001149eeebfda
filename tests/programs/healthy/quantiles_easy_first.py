"""Frequencies of noisy waves by quantiles, the easy ones first.

split: train
"""

import torch
from torch import nn

torch.manual_seed(2)
n = 2000
hz = 1 + 4 * torch.rand(n, 1)
noise = torch.rand(n, 1) * 0.8
t = torch.linspace(0, 1, 50)
x = torch.sin(2 * torch.pi * hz * t) + noise * torch.randn(n, 50)
quantiles = torch.tensor([0.1, 0.5, 0.9])


def pinball(pred, target):
    diff = target - pred
    return torch.maximum(quantiles * diff, (quantiles - 1) * diff).mean()


net = nn.Sequential(nn.Linear(50, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 3))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
easy_first = noise[:1600, 0].argsort()
for epoch in range(24):
    share = min(1.0, 0.3 + 0.05 * epoch)
    pool = easy_first[: int(1600 * share)]
    for idx in pool[torch.randperm(len(pool))].split(32):
        loss = pinball(net(x[idx]), hz[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 4 == 3:
        with torch.no_grad():
            q = net(x[1600:])
            cover = ((hz[1600:, 0] > q[:, 0]) & (hz[1600:, 0] < q[:, 2])).float().mean()
            mae = (q[:, 1] - hz[1600:, 0]).abs().mean()
        print(f"{epoch + 1} pinball {loss.item():.4f} mae {mae:.3f} coverage {cover:.2f}")
