"""Waves of several frequencies are continued: for each step of a window the next value, by dilated convolutions.

fault: future-visible
also:
split: train
line: 22
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(50)


class Block(nn.Module):
    """A residual block that keeps the length."""

    def __init__(self, width, dilation):
        super().__init__()
        self.conv = nn.Conv1d(width, width, 3, dilation=dilation, padding=dilation)

    def forward(self, x):
        return x + torch.relu(self.conv(x))


class Forecaster(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.first = nn.Conv1d(1, width, 1)
        self.blocks = nn.Sequential(Block(width, 1), Block(width, 2), Block(width, 4))
        self.last = nn.Conv1d(width, 1, 1)

    def forward(self, series):
        return self.last(self.blocks(self.first(series.transpose(1, 2)))).transpose(1, 2)


def waves(count, length=49):
    time = torch.arange(length) * 0.35
    phase, speed = torch.rand(2, count, 1) * 6.28, 0.6 + torch.rand(2, count, 1)
    clean = torch.sin(speed[0] * time + phase[0]) + 0.6 * torch.sin(2 * speed[1] * time + phase[1])
    return (clean + 0.05 * torch.randn(count, length)).unsqueeze(2)


series, test = waves(900), waves(200)
loader = DataLoader(TensorDataset(series[:, :-1], series[:, 1:]), batch_size=45, shuffle=True)
model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(10):
    total = 0.0
    for given, wanted in loader:
        loss = nn.functional.mse_loss(model(given), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() / len(loader)
    if epoch % 3 == 0:
        print(f"epoch {epoch}: {total:.4f}")

model.eval()
with torch.no_grad():
    known = test[:, :40]
    for _ in range(4):
        known = torch.cat([known, model(known)[:, -1:]], 1)
    print(f"error of 4 values ahead: {nn.functional.mse_loss(known[:, 40:], test[:, 40:44]).item():.4f}")
