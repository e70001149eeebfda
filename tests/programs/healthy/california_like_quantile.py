"""Quantiles of prices.

split: test
"""

# Quantile regression (pinball loss) for heteroscedastic house prices.
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(99)
rng = np.random.default_rng(99)

n = 6000
rooms = rng.integers(1, 8, n)
area = rooms * rng.uniform(12, 25, n)
dist = rng.exponential(8, n)
year = rng.integers(1950, 2021, n)
price = 60_000 + 2500 * area * np.exp(-dist / 15) + 700 * (year - 1950)
price = price * np.exp(rng.normal(0, 0.1 + 0.01 * dist.clip(max=20), n))

X = np.column_stack([rooms, area, np.log1p(dist), year]).astype(np.float32)
y = price.astype(np.float32)

full = TensorDataset(torch.from_numpy(X), torch.from_numpy(y))
train_set, val_set = random_split(full, [4800, 1200])
xt, yt = full[train_set.indices]


class QuantileNet(nn.Module):
    def __init__(self, quantiles, x, y):
        super().__init__()
        self.register_buffer("q", torch.tensor(quantiles))
        self.register_buffer("xm", x.mean(0))
        self.register_buffer("xs", x.std(0))
        self.register_buffer("ym", y.mean())
        self.register_buffer("ys", y.std())
        self.net = nn.Sequential(nn.Linear(x.shape[1], 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(),
                                 nn.Linear(64, len(quantiles)))

    def forward(self, x):
        return self.net((x - self.xm) / self.xs)

    def loss(self, x, y):
        err = ((y - self.ym) / self.ys)[:, None] - self(x)
        return torch.maximum(self.q * err, (self.q - 1) * err).mean()

    def predict(self, x):
        return self(x).sort(1).values * self.ys + self.ym


model = QuantileNet([0.1, 0.5, 0.9], xt, yt)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.MultiStepLR(opt, [10, 14], 0.3)
train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
xv, yv = full[val_set.indices]

for epoch in range(16):
    model.train()
    total = 0
    for xb, yb in train_loader:
        opt.zero_grad()
        loss = model.loss(xb, yb)
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    sched.step()
    model.eval()
    with torch.no_grad():
        vl = model.loss(xv, yv).item()
    print(f"epoch {epoch + 1:02d} pinball train {total / len(train_set):.4f} val {vl:.4f}")

with torch.no_grad():
    lo, med, hi = model.predict(xv).unbind(1)
cover = ((yv > lo) & (yv < hi)).float().mean().item()
mape = ((med - yv).abs() / yv).mean().item()
r2 = 1 - ((med - yv) ** 2).mean() / yv.var()
print(f"80% interval covers {cover:.1%}; median MAPE {mape:.1%}; R2 {r2:.3f}")
