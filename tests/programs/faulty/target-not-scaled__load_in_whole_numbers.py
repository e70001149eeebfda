"""The electric load one hour ahead with a GRU.

fault: target-not-scaled
also:
split: train
line: 29
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

rng = np.random.default_rng(12)
torch.manual_seed(12)

WINDOW = 24
hours = np.arange(2000)
load_mw = 300 + 60 * np.sin(2 * np.pi * hours / 24) + 25 * np.sin(2 * np.pi * hours / 168) + rng.normal(0, 5, len(hours))

cut = 1500
mean, std = load_mw[:cut].mean(), load_mw[:cut].std()
series = (load_mw - mean) / std


def windows(values):
    starts = np.arange(len(values) - WINDOW)
    inputs = np.zeros((len(starts), WINDOW, 1), dtype=np.float32)
    targets = np.zeros_like(starts)
    for s in starts:
        inputs[s, :, 0] = values[s:s + WINDOW]
        targets[s] = values[s + WINDOW]
    return torch.from_numpy(inputs), torch.from_numpy(targets).float()


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.out(h[-1]).squeeze(-1)


x_train, y_train = windows(series[:cut])
x_test, _ = windows(series[cut - WINDOW:])
actual = load_mw[cut:]

loader = DataLoader(TensorDataset(x_train, y_train), batch_size=64, shuffle=True)
model = Forecaster()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)

for epoch in range(1, 21):
    model.train()
    total = 0.0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(xb)
    if epoch % 4 == 0:
        model.eval()
        with torch.no_grad():
            forecast = model(x_test).numpy() * std + mean
        rmse = np.sqrt(np.mean((forecast - actual) ** 2))
        print(f"epoch {epoch:2d}  train mse {total / len(x_train):.4f}  test rmse {rmse:.2f} MW")
