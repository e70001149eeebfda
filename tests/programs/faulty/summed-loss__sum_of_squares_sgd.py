"""Least squares with a hand-written loss and SGD.

fault: summed-loss
also: learning-rate-too-high, divergence
split: test
line: 17
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(56)


def sum_of_squares(prediction, target):
    return ((prediction - target) ** 2).sum()


x = torch.randn(2000, 12)
y = torch.tanh(x[:, :1] - x[:, 1:2]) + 0.3 * x[:, 2:3]
net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
for epoch in range(15):
    for rows in torch.randperm(1600).split(64):
        loss = sum_of_squares(net(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = ((net(x[1600:]) - y[1600:]) ** 2).mean()
    print(f"epoch {epoch} loss {loss.item():.4g} test R2 {1 - error / y[1600:].var():.3f}")
