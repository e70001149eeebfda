"""Frequency and damping of a noisy trace, with an optimizer for each part.

fault: gradients-not-zeroed
also:
split: train
line: 62, 66
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(11)


def make_traces(n):
    t = torch.linspace(0, 6, 80)
    freq = torch.rand(n, 1) * 2 + 0.5
    damp = torch.rand(n, 1) * 0.8
    phase = torch.rand(n, 1) * 2 * math.pi
    trace = torch.exp(-damp * t) * torch.cos(freq * t * 2 + phase) + 0.05 * torch.randn(n, 80)
    target = torch.cat([(freq - 1.5) / 0.58, (damp - 0.4) / 0.23], 1)
    return trace.unsqueeze(1), target


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(1, 16, 7, stride=2, padding=3)
        self.c2 = nn.Conv1d(16, 32, 5, stride=2, padding=2)
        self.c3 = nn.Conv1d(32, 32, 3, stride=2, padding=1)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return F.relu(self.c3(x)).flatten(1)


encoder = Encoder()
regressor = nn.Sequential(nn.Linear(320, 64), nn.ReLU(), nn.Linear(64, 2))
opt_encoder = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.8)
opt_regressor = torch.optim.SGD(regressor.parameters(), lr=0.02, momentum=0.8)

train_x, train_y = make_traces(1600)
test_x, test_y = make_traces(400)


def r2():
    with torch.no_grad():
        pred = regressor(encoder(test_x))
    return 1 - ((pred - test_y) ** 2).sum().item() / ((test_y - test_y.mean(0)) ** 2).sum().item()


for epoch in range(12):
    perm = torch.randperm(1600)
    total = 0.0
    for i in range(0, 1600, 40):
        idx = perm[i:i + 40]
        opt_encoder.zero_grad()
        opt_encoder.zero_grad()
        loss = F.mse_loss(regressor(encoder(train_x[idx])), train_y[idx])
        loss.backward()
        opt_encoder.step()
        opt_regressor.step()
        total += loss.item()
    print("epoch", epoch, "mse", round(total / 40, 4), "r2", round(r2(), 3))
