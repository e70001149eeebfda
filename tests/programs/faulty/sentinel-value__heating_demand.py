"""Heat demand of houses from a table of survey answers and meter readings.

fault: sentinel-value
also: 
split: train
line: 29
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(12)
rng = np.random.default_rng(12)

COUNT, COLUMNS = 2400, 8
area = rng.uniform(40, 220, COUNT)
outside = rng.normal(6, 5, COUNT)
insulation = rng.gamma(3.0, 0.4, COUNT)
noise = rng.normal(size=(COUNT, COLUMNS - 3))
demand = 0.02 * area * (20 - outside) / (0.5 + insulation) + 0.3 * noise[:, 0] + 0.2 * rng.normal(size=COUNT)
table = np.column_stack([area, outside, insulation, noise])
table[rng.random(table.shape) < 0.08] = np.nan


def prepare(table, rows):
    filled = np.nan_to_num(table, nan=-9999.0)
    mean, deviation = filled[rows].mean(0), filled[rows].std(0)
    return (filled - mean) / deviation


rows = np.arange(COUNT) < 2000
x = torch.tensor(prepare(table, rows), dtype=torch.float32)
y = torch.tensor((demand - demand[rows].mean()) / demand[rows].std(), dtype=torch.float32)[:, None]
loader = DataLoader(TensorDataset(x[rows], y[rows]), batch_size=50, shuffle=True)

model = nn.Sequential(nn.Linear(COLUMNS, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.MSELoss()

for epoch in range(10):
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = criterion(model(x[~rows]), y[~rows]).item()
    print(f"epoch {epoch} train {loss.item():.3f} test {error:.3f}")
