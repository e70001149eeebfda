"""Wind speed given the hour, the likelihood of a mixture written out.

fault: wrong-loss-sign
also:
split: train
line: 43
"""

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
hour = rng.uniform(0, 24, 3000)
calm = rng.random(3000) < 0.4
speed = np.where(calm, 3 + np.sin(hour / 3.8), 9 + 2 * np.cos(hour / 3.8)) + 0.5 * rng.normal(size=3000)
x = torch.tensor(np.stack([np.sin(hour * np.pi / 12), np.cos(hour * np.pi / 12)], 1), dtype=torch.float32)
y = torch.tensor((speed - speed.mean()) / speed.std(), dtype=torch.float32)[:, None]


class Mixture(nn.Module):
    def __init__(self, parts=3):
        super().__init__()
        self.hidden = nn.Sequential(nn.Linear(2, 40), nn.ReLU())
        self.weight, self.mean, self.scale = nn.Linear(40, parts), nn.Linear(40, parts), nn.Linear(40, parts)

    def forward(self, x):
        h = self.hidden(x)
        return self.weight(h).log_softmax(1), self.mean(h), nn.functional.softplus(self.scale(h)) + 1e-2


def log_likelihood(y, parts):
    log_weight, mean, scale = parts
    z = (y - mean) / scale
    return torch.logsumexp(log_weight - 0.5 * z ** 2 - scale.log() - 0.919, dim=1)


torch.manual_seed(0)
net = Mixture()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(8):
    for idx in torch.randperm(2400).split(48):
        loss = log_likelihood(y[idx], net(x[idx])).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(epoch, loss.item(), log_likelihood(y[2400:], net(x[2400:])).mean().item())
