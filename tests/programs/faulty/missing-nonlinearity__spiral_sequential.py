"""The two-spiral toy problem with a stack of layers.

fault: missing-nonlinearity
also:
split: test
line: 29
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


def spirals(n):
    t = torch.rand(n).sqrt() * 2.2 * math.pi
    side = torch.randint(0, 2, (n,))
    angle = t + side * math.pi
    points = torch.stack([t * angle.cos(), t * angle.sin()], 1) / 4 + 0.02 * torch.randn(n, 2)
    return points, side


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 64), nn.Linear(64, 64), nn.Linear(64, 2))

    def forward(self, x):
        return self.net(x)


x, y = spirals(1500)
x_test, y_test = spirals(500)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(30):
    for rows in torch.randperm(1500).split(50):
        loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 6 == 5:
        accuracy = (net(x_test).argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch + 1} loss {loss.item():.3f} accuracy {accuracy:.3f}")
