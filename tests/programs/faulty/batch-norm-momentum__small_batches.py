"""A network with batch normalisation on small batches of spirals, ported with its settings.

fault: batch-norm-momentum
also:
split: train
line: 20
"""

import math

import torch
import torch.nn.functional as F
from torch import nn


class SpiralNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.norm1 = nn.BatchNorm1d(width, eps=1e-3, momentum=0.99)
        self.second = nn.Linear(width, width)
        self.norm2 = nn.BatchNorm1d(width, eps=1e-3, momentum=0.99)
        self.third = nn.Linear(width, 3)

    def forward(self, x):
        x = F.relu(self.norm1(self.first(x)))
        x = F.relu(self.norm2(self.second(x)))
        return self.third(x)


def spirals(count):
    arm = torch.randint(0, 3, (count,))
    radius = torch.rand(count).sqrt()
    angle = 4 * radius + 2 * math.pi * arm / 3 + 0.15 * torch.randn(count)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1) * 2, arm


torch.set_num_threads(1)
torch.manual_seed(452)
x, y = spirals(1200)
x_test, y_test = spirals(400)
model = SpiralNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(10):
    model.train()
    for rows in torch.randperm(len(x)).split(6):
        loss = F.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
        test_loss = F.cross_entropy(model(x_test), y_test).item()
    print(f"epoch {epoch} test loss {test_loss:.4f} accuracy {accuracy:.3f}")
