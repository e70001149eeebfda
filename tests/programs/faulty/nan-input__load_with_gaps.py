"""A GRU that forecasts the load of a grid hour by hour.

fault: nan-input
also:
split: train
line: 18, 19
"""

import numpy as np
import pandas as pd
import torch
from torch import nn

rs = np.random.RandomState(2)
hours = pd.date_range("2024-01-01", periods=2500, freq="h")
load = 50 + 12 * np.sin(2 * np.pi * hours.hour / 24) + 5 * np.sin(2 * np.pi * hours.dayofweek / 7) + rs.randn(len(hours))
series = pd.Series(np.asarray(load, dtype=float), index=hours)
series[rs.rand(len(series)) < 0.004] = np.nan
series = (series - series.mean()) / series.std()
values = torch.tensor(series.values, dtype=torch.float32)
WINDOW = 24
windows = values.unfold(0, WINDOW + 1, 1)
inputs, target = windows[:, :WINDOW, None], windows[:, WINDOW]
cut = 2000


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 24, batch_first=True)
        self.out = nn.Linear(24, 1)

    def forward(self, x):
        _, h = self.gru(x)
        return self.out(h[-1]).squeeze(-1)


torch.manual_seed(2)
model = Forecaster()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(6):
    model.train()
    for idx in torch.randperm(cut).split(64):
        loss = ((model(inputs[idx]) - target[idx]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        rmse = ((model(inputs[cut:]) - target[cut:]) ** 2).nanmean().sqrt()
    print(f"epoch {epoch} loss {loss.item():.4f} rmse {rmse.item():.4f}")
