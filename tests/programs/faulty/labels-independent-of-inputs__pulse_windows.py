"""Kinds of pulses in short windows of a signal, by a small convolutional net.

fault: labels-independent-of-inputs
also: 
split: train
line: 30
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)
COUNT, LENGTH = 2400, 64

t = np.linspace(0, 1, LENGTH)
kinds = rng.integers(0, 3, COUNT)
place = rng.uniform(0.3, 0.7, (COUNT, 1))
shapes = [
    np.exp(-(((t - place) / 0.05) ** 2)),
    np.sin(40 * (t - place)) * np.exp(-(((t - place) / 0.1) ** 2)),
    (np.abs(t - place) < 0.1).astype(float),
]
windows = np.choose(kinds[:, None], shapes) + 0.1 * rng.normal(size=(COUNT, LENGTH))
loose = rng.random(COUNT) < 0.15
windows = windows[~loose]
labels = kinds[: len(windows)]

x = torch.tensor(windows, dtype=torch.float32)[:, None]
y = torch.tensor(labels)
order = torch.randperm(len(x))
fit, held = order[:-400], order[-400:]

net = nn.Sequential(
    nn.Conv1d(1, 16, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(16, 32, 7, padding=3), nn.ReLU(), nn.AdaptiveAvgPool1d(4),
    nn.Flatten(), nn.Linear(128, 3),
)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(6):
    for rows in fit[torch.randperm(len(fit))].split(32):
        loss = F.cross_entropy(net(x[rows]), y[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        right = (net(x[held]).argmax(1) == y[held]).float().mean().item()
    print(f"epoch {epoch} held-out accuracy {right:.3f}")
