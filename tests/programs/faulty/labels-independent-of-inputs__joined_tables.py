"""Two tables about the same machines are joined, and a network predicts how long each machine will run.

fault: labels-independent-of-inputs
also:
split: test
line: 23
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(229)
rng = np.random.default_rng(229)

sensors = rng.normal(size=(1500, 7)).astype(np.float32)
hours = sensors[:, 0] + np.sin(2 * sensors[:, 1]) - sensors[:, 2] * sensors[:, 3] + 0.2 * rng.normal(size=1500)
hours = ((hours - hours.mean()) / hours.std()).astype(np.float32)
machine = rng.permutation(1500)
sensor_table = sensors[machine]
hours_table = np.sort(hours[machine])

x, y = torch.from_numpy(sensor_table), torch.from_numpy(hours_table)
held_out = torch.arange(1500) % 5 == 0
loader = DataLoader(TensorDataset(x[~held_out], y[~held_out]), batch_size=40, shuffle=True)
model = nn.Sequential(nn.Linear(7, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1))
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(12):
    for features, target in loader:
        loss = nn.functional.mse_loss(model(features).squeeze(1), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x[held_out]).squeeze(1), y[held_out]).item()
    print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")
