"""Fits the price of houses from four measures with a small network written out of parameters and clamps.

fault: dead-relu
also:
split: train
line: 19
"""

import torch
from torch import nn


class Prices(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.first = nn.Linear(4, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, 1)
        nn.init.constant_(self.first.bias, -8.0)

    def forward(self, x):
        x = torch.clamp(self.first(x), min=0)
        x = self.second(x).clamp_min(0)
        return self.last(x).squeeze(1)


def houses(count):
    x = torch.randn(count, 4)
    return x, x[:, 0] * x[:, 1] + torch.sin(2 * x[:, 2]) + 0.5 * x[:, 3]


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(218)
    net = Prices()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    x, y = houses(3000)
    test_x, test_y = houses(600)
    for epoch in range(12):
        for rows in torch.randperm(3000).split(60):
            loss = nn.functional.mse_loss(net(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            print(f"epoch {epoch} R2 {1 - nn.functional.mse_loss(net(test_x), test_y).item() / test_y.var().item():.4f}")
