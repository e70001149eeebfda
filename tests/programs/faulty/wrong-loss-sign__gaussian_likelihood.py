"""A regression that predicts mean and spread and is trained on the Gaussian likelihood.

fault: wrong-loss-sign
also:
split: train
line: 28
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(130)
x = torch.rand(1500, 1) * 4 - 2
y = torch.sin(2 * x) + (0.1 + 0.1 * x.abs()) * torch.randn_like(x)

model = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

for epoch in range(12):
    for rows in torch.randperm(1200).split(40):
        mean, log_std = model(x[rows]).chunk(2, dim=1)
        log_std = log_std.clamp(-4, 4)
        z = (y[rows] - mean) / log_std.exp()
        log_likelihood = -0.5 * z**2 - log_std - 0.5 * math.log(2 * math.pi)
        loss = log_likelihood.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = (model(x[1200:])[:, :1] - y[1200:]).pow(2).mean().sqrt().item()
    print(f"epoch {epoch:2d} loss {loss.item():.4f} test rmse {error:.4f}")
