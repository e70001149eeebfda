"""A GRU that says from a week of hourly temperatures in kelvin whether the next day will be warmer.

fault: input-not-scaled
also:
split: test
line: 38
"""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def weather(count, hours=36):
    t = torch.arange(hours).float()
    level = 285 + 6 * torch.randn(count, 1)
    trend = 0.06 * torch.randn(count, 1)
    daily = 4 * torch.sin(2 * math.pi * t / 24)
    return (level + trend * t + daily + 0.7 * torch.randn(count, hours)), (trend[:, 0] > 0).float()


class WarmerTomorrow(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.GRU(1, 24, batch_first=True)
        self.head = nn.Linear(24, 1)

    def forward(self, temperatures):
        _, last = self.rnn(temperatures.unsqueeze(-1))
        return self.head(last[-1]).squeeze(-1)


torch.set_num_threads(1)
torch.manual_seed(208)
series, warmer = weather(1800)
inputs = series
loader = DataLoader(TensorDataset(inputs[:1500], warmer[:1500]), batch_size=50, shuffle=True)
model = WarmerTomorrow()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(8):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = ((model(inputs[1500:]) > 0) == (warmer[1500:] > 0)).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
