"""A curve with many bends, fitted by a network.

fault: too-small-model
also:
split: train
line: 14
"""

import torch
from torch import nn


class Curve(nn.Module):
    def __init__(self, units=3):
        super().__init__()
        self.a = nn.Linear(1, units)
        self.b = nn.Linear(units, units)
        self.c = nn.Linear(units, 1)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x)))))


torch.set_num_threads(1)
torch.manual_seed(92)
x = torch.rand(1000, 1) * 4 - 2
y = torch.sin(5 * x) + torch.sin(3 * x + 1)
y = y / y.std()
model = Curve()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(60):
    for rows in torch.randperm(800).split(50):
        loss = (model(x[rows]) - y[rows]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 10 == 9:
        with torch.no_grad():
            print(f"epoch {epoch + 1} error {(model(x[800:]) - y[800:]).pow(2).mean().item():.4f}")
