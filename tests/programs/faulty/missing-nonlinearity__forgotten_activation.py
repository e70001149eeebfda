"""Regression of a product of inputs by a configurable network.

fault: missing-nonlinearity
also: too-small-model
split: test
line: 25
"""

import torch
from torch import nn


class Regressor(nn.Module):
    def __init__(self, inputs, sizes):
        super().__init__()
        self.layers = nn.ModuleList()
        for size in sizes:
            self.layers.append(nn.Linear(inputs, size))
            inputs = size
        self.activation = nn.GELU()
        self.output = nn.Linear(inputs, 1)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.output(x)


torch.set_num_threads(1)
torch.manual_seed(18)
x = torch.randn(2000, 4)
y = (x[:, :1] * x[:, 1:2] + x[:, 2:3].abs() - 0.8) / 1.2
model = Regressor(4, [48, 48])
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(20):
    for rows in torch.randperm(1600).split(40):
        loss = nn.functional.smooth_l1_loss(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = (model(x[1600:]) - y[1600:]).pow(2).mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} squared error {error:.4f}")
