"""Waves of several frequencies are continued: for each step of a window the next value, by causal convolutions.

split: train
"""

import torch
from torch import nn
from torch.nn import functional

torch.set_num_threads(1)
torch.manual_seed(51)


class Causal(nn.Module):
    def __init__(self, width, dilation):
        super().__init__()
        self.left = 2 * dilation
        self.conv = nn.Conv1d(width, width, 3, dilation=dilation)

    def forward(self, x):
        return x + torch.relu(self.conv(functional.pad(x, (self.left, 0))))


class Forecaster(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.blocks = nn.Sequential(Causal(width, 1), Causal(width, 2), Causal(width, 4))
        self.last = nn.Conv1d(width, 1, 1)

    def forward(self, series):
        return self.last(self.blocks(self.first(series.transpose(1, 2)))).transpose(1, 2)


def waves(count, length=49):
    time = torch.arange(length) * 0.35
    phase, speed = torch.rand(2, count, 1) * 6.28, 0.6 + torch.rand(2, count, 1)
    clean = torch.sin(speed[0] * time + phase[0]) + 0.6 * torch.sin(2 * speed[1] * time + phase[1])
    return (clean + 0.05 * torch.randn(count, length)).unsqueeze(2)


series, test = waves(900), waves(200)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(10):
    model.train()
    for rows in torch.randperm(len(series)).split(45):
        loss = functional.mse_loss(model(series[rows, :-1]), series[rows, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(epoch, functional.mse_loss(model(test[:, :-1]), test[:, 1:]).item())
