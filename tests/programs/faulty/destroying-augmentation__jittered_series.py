"""A GRU on waves of two shapes, with windows cut out, scaled and jittered at random while training.

fault: destroying-augmentation
also:
split: test
line: 46
"""

import math

import torch
from torch import nn


def waves(count, length=24):
    shape = torch.randint(0, 2, (count,))
    angle = 0.5 * torch.arange(length) + 2 * math.pi * torch.rand(count, 1)
    sine, square = torch.sin(angle), torch.sign(torch.sin(angle))
    series = torch.where(shape.unsqueeze(1) == 1, square, sine)
    return series + 0.1 * torch.randn(count, length), shape


class Jitter:
    def __init__(self, strength):
        self.strength = strength

    def __call__(self, series):
        gain = 0.9 + 0.2 * torch.rand(len(series), 1)
        return gain * series + self.strength * torch.randn(series.shape)


class WaveNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 24, batch_first=True)
        self.head = nn.Linear(24, 2)

    def forward(self, series):
        return self.head(self.gru(series.unsqueeze(-1))[0].mean(1))


torch.set_num_threads(1)
torch.manual_seed(235)
series, shapes = waves(1200)
test_series, test_shapes = waves(300)
jitter = Jitter(6.0)
model = WaveNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(8):
    for rows in torch.randperm(len(series)).split(40):
        loss = nn.functional.cross_entropy(model(jitter(series[rows])), shapes[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(test_series).argmax(1) == test_shapes).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
