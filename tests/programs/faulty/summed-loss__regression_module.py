"""A regression with nn.MSELoss that adds up the errors of a batch.

fault: summed-loss
also: learning-rate-too-high
split: train
line: 20
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(133)
x = torch.randn(2400, 5)
y = (torch.sin(x[:, 0]) + 0.5 * x[:, 1] * x[:, 2] - 0.3 * x[:, 3]).unsqueeze(1)
loader = DataLoader(TensorDataset(x[:2000], y[:2000]), batch_size=64, shuffle=True)

model = nn.Sequential(nn.Linear(5, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
criterion = nn.MSELoss(reduction="sum")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

for epoch in range(10):
    total = 0.0
    for features, target in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), target)
        loss.backward()
        optimizer.step()
        total += loss.item()
    with torch.no_grad():
        error = (model(x[2000:]) - y[2000:]).pow(2).mean().item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f} test mse {error:.4f}")
