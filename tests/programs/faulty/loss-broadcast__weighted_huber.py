"""A regression where every sample has a weight, with a smooth absolute error, in a Trainer class.

fault: loss-broadcast
also:
split: test
line: 19
"""

import torch
from torch import nn


class WeightedHuber(nn.Module):
    def __init__(self, delta=1.0):
        super().__init__()
        self.delta = delta

    def forward(self, prediction, target, weight):
        error = torch.abs(target - prediction)
        small = torch.clamp(error, max=self.delta)
        loss = 0.5 * small**2 + self.delta * (error - small)
        return (loss * weight).sum() / weight.expand_as(loss).sum()


class Sensors:
    """Readings of nine sensors with the temperature; old readings count less."""

    def __init__(self, count, mixing):
        self.readings = torch.randn(count, 9)
        mixed = self.readings @ mixing / 3
        self.temperature = torch.tanh(mixed[:, 0]) + mixed[:, 1] * mixed[:, 2]
        self.weight = torch.exp(-2 * torch.rand(count))

    def __len__(self):
        return len(self.readings)

    def batches(self, size):
        for rows in torch.randperm(len(self)).split(size):
            yield self.readings[rows], self.temperature[rows], self.weight[rows]


class Trainer:
    def __init__(self, train, valid):
        self.train, self.valid = train, valid
        self.model = nn.Sequential(nn.Linear(9, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1))
        self.loss = WeightedHuber()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)

    def fit(self, epochs):
        for epoch in range(epochs):
            for readings, temperature, weight in self.train.batches(40):
                self.optimizer.zero_grad()
                loss = self.loss(self.model(readings), temperature, weight)
                loss.backward()
                self.optimizer.step()
            with torch.no_grad():
                error = (self.model(self.valid.readings).squeeze(1) - self.valid.temperature).abs().mean().item()
            print(f"epoch {epoch:2d}: loss {loss.item():.4f}, validation error {error:.4f}")


torch.set_num_threads(1)
torch.manual_seed(117)
mixing = torch.randn(9, 3)
Trainer(Sensors(1600, mixing), Sensors(400, mixing)).fit(12)
