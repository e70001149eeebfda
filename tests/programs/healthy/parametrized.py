"""Weight norm and a parametrization of the program's own: `weight` is computed from other parameters.

split: train
"""

import torch
from torch import nn
from torch.nn.utils import parametrizations, parametrize


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)


torch.set_num_threads(1)
torch.manual_seed(35)
model = nn.Sequential(
    parametrizations.weight_norm(nn.Linear(6, 12)),
    nn.ReLU(),
    nn.Linear(12, 12),
    nn.ReLU(),
    parametrizations.spectral_norm(nn.Linear(12, 2)),
)
parametrize.register_parametrization(model[2], "weight", Symmetric())
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(25):
    x = torch.randn(24, 6)
    y = torch.stack([x[:, 0] * x[:, 1], x[:, 2].abs()], 1)
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item())
