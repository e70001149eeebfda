"""Bands of a river's level for tomorrow: three quantiles from the last ten days, by a small recurrent network.

fault: wrong-loss-sign
also:
split: train
line: 38
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)
LEVELS = (0.05, 0.5, 0.95)


def days(count):
    rain = torch.distributions.Gamma(0.6, 1.0).sample((count,))
    level = torch.zeros(count)
    for day in range(1, count):
        level[day] = 0.8 * level[day - 1] + 0.4 * rain[day - 1] + 0.15 * torch.randn(1).item()
    return torch.stack([(level - 1.2) / 0.7, rain - 0.6], 1)


class Bands(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(2, 24, batch_first=True)
        self.out = nn.Linear(24, len(LEVELS))

    def forward(self, window):
        return self.out(self.gru(window)[1][-1])


def band_loss(output, wanted):
    parts = []
    for column, tau in enumerate(LEVELS):
        gap = output[:, column] - wanted
        parts.append(torch.max((tau - 1) * gap, tau * gap).mean())
    return torch.stack(parts).sum()


series = days(2600)
windows = series.unfold(0, 10, 1).transpose(1, 2)[:-1]
following = series[10:, 0]
train, test = slice(0, 2000), slice(2000, None)
model = Bands()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(10):
    for rows in torch.randperm(2000).split(64):
        loss = band_loss(model(windows[rows]), following[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        low, _, high = model(windows[test]).unbind(1)
    inside = ((following[test] >= low) & (following[test] <= high)).float().mean()
    print(f"epoch {epoch} loss {loss.item():.4f} levels inside the 90 % band {inside:.3f}")
