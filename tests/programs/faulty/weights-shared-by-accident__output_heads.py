"""A network with one output head for each of four targets.

fault: weights-shared-by-accident
also:
split: train
line: 17
"""

import torch
from torch import nn


class MultiHead(nn.Module):
    def __init__(self, features, targets, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(features, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(width, 1)] * targets)

    def forward(self, x):
        x = self.trunk(x)
        return torch.cat([head(x) for head in self.heads], dim=1)


torch.set_num_threads(1)
torch.manual_seed(71)
x = torch.randn(1800, 6)
y = torch.stack([x[:, 0] * x[:, 1], torch.sin(2 * x[:, 2]), x[:, 3] - x[:, 4], x[:, 5].abs() - 0.8], 1)
x_val, y_val = x[1500:], y[1500:]

model = MultiHead(6, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.MSELoss()
for epoch in range(12):
    for rows in torch.randperm(1500).split(50):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        errors = (model(x_val) - y_val).pow(2).mean(0)
    print(f"epoch {epoch:2d} loss {loss.item():.4f} val per target", [round(e, 3) for e in errors.tolist()])
