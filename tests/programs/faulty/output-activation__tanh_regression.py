"""A measured quantity from ten others, all standardised.

fault: output-activation
also: unreachable-target
split: train
line: 21
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def network(inputs, hidden=48):
    return nn.Sequential(
        nn.Linear(inputs, hidden),
        nn.GELU(),
        nn.Linear(hidden, hidden),
        nn.GELU(),
        nn.Linear(hidden, 1),
        nn.Tanh(),
    )


torch.set_num_threads(1)
torch.manual_seed(101)
x = torch.randn(1500, 10)
y = x[:, :1] * 2 + x[:, 1:2] * x[:, 2:3] + x[:, 3:4].sin()
y = (y - y.mean()) / y.std()
loader = DataLoader(TensorDataset(x[:1200], y[:1200]), batch_size=40, shuffle=True)
model = network(10)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(15):
    for batch, wanted in loader:
        loss = nn.functional.mse_loss(model(batch), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[1200:]), y[1200:]).item()
    print(f"epoch {epoch} loss {loss.item():.4f} test {error:.4f}")
