"""Regression with a Huber loss where one target in fifteen is a gross outlier; judged by the median error.

split: train
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(73)

x = torch.randn(2000, 6)
clean = x[:, 0] - 0.5 * x[:, 1] + torch.sin(2 * x[:, 2])
y = clean + 0.05 * torch.randn(2000)
broken = torch.rand(2000) < 1 / 15
y = torch.where(broken, y + 15 * torch.randn(2000).sign() * torch.rand(2000), y)

loader = DataLoader(TensorDataset(x[:1600], y[:1600]), batch_size=32, shuffle=True)
model = nn.Sequential(nn.Linear(6, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.HuberLoss(delta=0.5)
for _epoch in range(20):
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs).squeeze(-1), targets)
        loss.backward()
        optimizer.step()
with torch.no_grad():
    error = (model(x[1600:]).squeeze(-1) - clean[1600:]).abs()
print(f"median error {error.median().item():.4f}, spread of the clean targets {clean.std().item():.3f}")
