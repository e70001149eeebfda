"""Yield of fields from soil readings; gaps are filled with the mean, and a column says where they were.

split: train
"""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(9)
rng = np.random.default_rng(9)
COUNT = 2400

soil = rng.normal(size=(COUNT, 5))
rain = rng.lognormal(0.0, 1.2, (COUNT, 1))
visits = rng.poisson(0.3, (COUNT, 1)).astype(float)
crop = np.eye(4)[rng.integers(0, 4, COUNT)]
harvest = soil[:, 0] + np.sin(2 * soil[:, 1]) + 0.6 * np.log1p(rain[:, 0]) + crop @ np.array([1.0, 0, -1, 0.5])
harvest = harvest + 0.2 * rng.normal(size=COUNT)
gaps = rng.random(soil.shape) < 0.06
soil[gaps] = np.nan
soil = np.where(np.isnan(soil), np.nanmean(soil[:2000], 0), soil)
last_tested = np.where(rng.random((COUNT, 1)) < 0.2, -1.0, rng.uniform(0, 1, (COUNT, 1)))
numbers = np.column_stack([soil, np.clip(rain, 0, 12), visits])
numbers = (numbers - numbers[:2000].mean(0)) / numbers[:2000].std(0)
table = np.column_stack([numbers, last_tested, crop, gaps])

x = torch.tensor(table, dtype=torch.float32)
y = torch.tensor((harvest - harvest[:2000].mean()) / harvest[:2000].std(), dtype=torch.float32)
model = nn.Sequential(nn.Linear(x.shape[1], 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
for epoch in range(12):
    for rows in torch.randperm(2000).split(50):
        loss = ((model(x[rows])[:, 0] - y[rows]) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = ((model(x[2000:])[:, 0] - y[2000:]) ** 2).mean().item()
    print(f"epoch {epoch} test error {error:.3f}")
