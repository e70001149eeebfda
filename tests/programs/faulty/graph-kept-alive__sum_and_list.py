"""A GRU that forecasts a load curve; losses are summed up for the epoch and listed for a plot.

fault: graph-kept-alive
also:
split: train
line: 54, 55
"""

import resource

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
np.random.seed(0)
t = np.arange(1700)
series = np.sin(2 * np.pi * t / 24) + 0.5 * np.sin(2 * np.pi * t / 168) + 0.1 * np.random.randn(1700)
series = ((series - series.mean()) / series.std()).astype("float32")
W = 48
windows = np.stack([series[i : i + W] for i in range(len(series) - W)])
targets = series[W:]
n_train = 1400
train_ds = TensorDataset(torch.from_numpy(windows[:n_train]).unsqueeze(-1), torch.from_numpy(targets[:n_train]).unsqueeze(-1))
val_x = torch.from_numpy(windows[n_train:]).unsqueeze(-1)
val_y = torch.from_numpy(targets[n_train:]).unsqueeze(-1)
loader = DataLoader(train_ds, batch_size=32, shuffle=True)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 48, batch_first=True)
        self.fc = nn.Linear(48, 1)

    def forward(self, x):
        _, h = self.gru(x)
        return self.fc(h[-1])


model = Forecaster()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
history = []
for epoch in range(5):
    model.train()
    epoch_loss = 0
    for xb, yb in loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
        epoch_loss += loss
        history.append(loss)
    model.eval()
    with torch.no_grad():
        val = criterion(model(val_x), val_y).item()
    mem = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"epoch {epoch} train {float(epoch_loss) / len(loader):.4f} val {val:.4f} mem {mem} MB")
