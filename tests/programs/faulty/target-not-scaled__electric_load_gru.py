"""A GRU that forecasts the load of a power grid in megawatts from the standardised load of the day before.

fault: target-not-scaled
also: learning-rate-too-low
split: test
line: 37
"""

import math

import torch
from torch import nn


class LoadForecast(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(self.gru(x)[0][:, -1])[:, 0]


def grid_load(hours):
    t = torch.arange(hours).float()
    day = 900 * torch.sin(2 * math.pi * t / 24) + 300 * torch.sin(4 * math.pi * t / 24 + 1)
    week = 400 * torch.sin(2 * math.pi * t / 168)
    return 5200 + day + week + 40 * torch.randn(hours)


torch.set_num_threads(1)
torch.manual_seed(214)
load = grid_load(2200)
scaled = (load - load.mean()) / load.std()
windows = scaled.unfold(0, 24, 1)[:-1].unsqueeze(-1)
following = load[24:]
train, test = slice(0, 1700), slice(1724, None)
model = LoadForecast()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(8):
    for rows in torch.randperm(1700).split(50):
        loss = (model(windows[train][rows]) - following[train][rows]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = (model(windows[test]) - following[test]).pow(2).mean() / following[test].var()
    print(f"epoch {epoch} loss {loss.item():.5g} relative test error {error.item():.3f}")
