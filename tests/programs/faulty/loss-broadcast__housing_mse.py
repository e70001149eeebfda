"""A regression of generated house prices with nn.MSELoss and a DataLoader.

fault: loss-broadcast
also:
split: train
line: 27
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(115)
x = torch.randn(2000, 8)
price = 1.1 * x[:, 0] - 0.4 * x[:, 1] + 0.7 * torch.sin(2 * x[:, 2]) + 0.5 * x[:, 3] * x[:, 4]
price = (price - price.mean()) / price.std()
loader = DataLoader(TensorDataset(x[:1600], price[:1600]), batch_size=32, shuffle=True)

model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(8):
    for features, target in loader:
        optimizer.zero_grad()
        loss = criterion(model(features), target)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        prediction = model(x[1600:]).squeeze(1)
    r2 = 1 - (prediction - price[1600:]).pow(2).mean() / price[1600:].var()
    print(f"epoch {epoch}: loss {loss.item():.4f} test R2 {r2.item():.3f}")
