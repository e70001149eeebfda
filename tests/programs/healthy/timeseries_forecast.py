"""One-step and 12-step forecasting of a seasonal series with a GRU; split by time.

split: test
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(19)
rng = np.random.default_rng(19)
n = 2600
t = np.arange(n)
noise = np.zeros(n)
for i in range(1, n):
    noise[i] = 0.5 * noise[i - 1] + rng.normal(0, 1.2)
series = 120 + 18 * np.sin(2 * np.pi * t / 24) + 8 * np.sin(2 * np.pi * t / 168) + 4 * np.cos(2 * np.pi * t / 12) + noise

CONTEXT, HORIZON = 48, 12
a, b = int(0.7 * n), int(0.85 * n)
mu, sd = series[:a].mean(), series[:a].std()
z = ((series - mu) / sd).astype(np.float32)


def windows(lo, hi):
    xs = np.stack([z[i:i + CONTEXT] for i in range(lo, hi - CONTEXT - HORIZON + 1)])
    ys = np.stack([z[i + CONTEXT:i + CONTEXT + HORIZON] for i in range(lo, hi - CONTEXT - HORIZON + 1)])
    return torch.from_numpy(xs)[..., None], torch.from_numpy(ys)


train = DataLoader(TensorDataset(*windows(0, a)), batch_size=64, shuffle=True)
xv, yv = windows(a, b)
xt, yt = windows(b, n)


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(hidden, HORIZON)

    def forward(self, x):
        _, h = self.gru(x)
        return self.out(self.drop(h[-1]))


model = Forecaster()
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-3)
EPOCHS = 18
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS, eta_min=1e-4)
loss_fn = nn.MSELoss()
for epoch in range(EPOCHS):
    model.train()
    tot = 0.0
    for x, y in train:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        tot += loss.item() * len(x)
    sched.step()
    model.eval()
    with torch.no_grad():
        v = loss_fn(model(xv), yv).item()
    print(f"epoch {epoch + 1:2d} train {tot / len(train.dataset):.4f} val {v:.4f}")

with torch.no_grad():
    pred = model(xt)
mae = (pred - yt).abs().mean().item() * sd
seasonal = (xt[:, -24:-24 + HORIZON, 0] - yt).abs().mean().item() * sd
last = (xt[:, -1:, 0] - yt).abs().mean().item() * sd
print(f"test MAE {mae:.3f}; seasonal naive {seasonal:.3f}; last value {last:.3f}; noise std {noise.std():.3f}")
