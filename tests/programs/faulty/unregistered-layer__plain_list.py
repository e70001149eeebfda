"""An MLP with a configurable number of hidden layers, on generated spirals.

fault: unregistered-layer
also: optimizer-missing-parameters
split: train
line: 20
"""

import math

import torch
import torch.nn.functional as F
from torch import nn


class SpiralNet(nn.Module):
    def __init__(self, width=24, depth=3):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.hidden = [nn.Linear(width, width) for _ in range(depth)]
        self.last = nn.Linear(width, 3)

    def forward(self, points):
        x = torch.relu(self.first(points))
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.last(x)


def spirals(count):
    arm = torch.randint(0, 3, (count,))
    radius = torch.rand(count)
    angle = 5 * radius + arm * 2 * math.pi / 3 + 0.15 * torch.randn(count)
    points = torch.stack([radius * torch.cos(angle), radius * torch.sin(angle)], 1)
    return points * 2, arm


torch.set_num_threads(1)
torch.manual_seed(15)
points, arms = spirals(1500)
test_points, test_arms = spirals(500)
model = SpiralNet()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(20):
    for rows in torch.randperm(len(points)).split(75):
        loss = F.cross_entropy(model(points[rows]), arms[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 4 == 3:
        with torch.no_grad():
            accuracy = (model(test_points).argmax(1) == test_arms).float().mean()
        print(f"epoch {epoch + 1:2d} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
