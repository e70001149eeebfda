"""Flat prices in full currency units from standardised features.

fault: target-not-scaled
also:
split: test
line: 24
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(15)

n = 1000
area = torch.rand(n) * 100 + 30
rooms = (area / 25).round() + torch.randint(0, 2, (n,))
floor = torch.randint(0, 10, (n,)).float()
centre = torch.rand(n) * 12
price = 3200 * area * (1 - centre / 20) + 4000 * rooms + 1500 * floor + 8000 * torch.randn(n)
x = torch.stack([area, rooms, floor, centre], 1)
x = (x - x.mean(0)) / x.std(0)
y = price.unsqueeze(1)

model = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.MSELoss()
loader = DataLoader(TensorDataset(x[:800], y[:800]), batch_size=32, shuffle=True)
for epoch in range(25):
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item()
    if epoch % 5 == 0:
        print(f"epoch {epoch} mse {total / len(loader):.4g}")
with torch.no_grad():
    residual = model(x[800:]) - y[800:]
print(f"R2 {1 - residual.pow(2).mean() / y[800:].var():.3f}")
