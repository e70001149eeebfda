"""Predicts a standardised temperature from the day and the hour.

fault: output-activation
also: dead-relu, unreachable-target
split: test
line: 23
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(54)
day = torch.rand(1500) * 365
hour = torch.rand(1500) * 24
temperature = -12 * torch.cos(day * 6.283 / 365) - 5 * torch.cos(hour * 6.283 / 24) + 0.5 * torch.randn(1500)
y = ((temperature - temperature.mean()) / temperature.std()).unsqueeze(1)
x = torch.stack([day / 182.5 - 1, hour / 12 - 1], 1)

layers = []
sizes = [(2, 48), (48, 48), (48, 1)]
for n_in, n_out in sizes:
    layers += [nn.Linear(n_in, n_out), nn.ReLU()]
model = nn.Sequential(*layers)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(25):
    for rows in torch.randperm(1200).split(40):
        loss = nn.functional.mse_loss(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            error = nn.functional.mse_loss(model(x[1200:]), y[1200:])
        print(f"epoch {epoch + 1} loss {loss.item():.3f} test R2 {1 - error / y[1200:].var():.3f}")
