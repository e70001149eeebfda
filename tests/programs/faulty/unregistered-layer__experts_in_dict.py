"""A small mixture: one head per region, chosen by the first feature, on generated measurements.

fault: unregistered-layer
also: optimizer-missing-parameters
split: test
line: 20
"""

import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(21)


class RegionNet(nn.Module):
    def __init__(self, regions):
        super().__init__()
        self.trunk = nn.Linear(6, 8)
        self.heads = {name: nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1)) for name in regions}

    def forward(self, x, region):
        shared = torch.tanh(self.trunk(x))
        return self.heads[region](shared).squeeze(-1)


REGIONS = ["north", "south", "west"]
directions = {name: torch.randn(6) for name in REGIONS}


def sample(region, n=64):
    x = torch.randn(n, 6)
    return x, torch.sin(x @ directions[region]) + REGIONS.index(region) * 0.5


net = RegionNet(REGIONS)
opt = optim.Adam(net.parameters(), lr=5e-3)
for it in range(600):
    opt.zero_grad()
    loss = torch.zeros(())
    for region in REGIONS:
        x, target = sample(region)
        loss = loss + nn.functional.mse_loss(net(x, region), target) / len(REGIONS)
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, round(loss.item(), 4))

with torch.no_grad():
    for region in REGIONS:
        x, target = sample(region, 1000)
        print(region, "explained:", round(1 - ((net(x, region) - target) ** 2).mean().item() / target.var().item(), 3))
