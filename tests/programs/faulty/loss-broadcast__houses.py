"""Prices of houses.

fault: loss-broadcast
also: 
split: train
line: 61
"""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
rng = np.random.default_rng(42)
torch.manual_seed(42)

# ---- data -------------------------------------------------------------
n = 2000
area = rng.uniform(30, 250, n)
rooms = np.clip(np.round(area / 30 + rng.normal(0, 1, n)), 1, 9)
age = rng.uniform(0, 80, n)
dist = rng.exponential(6, n)
floor = rng.integers(0, 10, n)
price = 2500 * area * np.exp(-dist / 20) + 8000 * rooms - 600 * age + 1500 * floor + rng.normal(0, 15000, n)

X = np.column_stack([area, rooms, age, dist, floor]).astype(np.float32)
y = price.astype(np.float32)
idx = rng.permutation(n)
train_idx, val_idx = idx[:1600], idx[1600:]
mu, sd = X[train_idx].mean(0), X[train_idx].std(0)
y_mu, y_sd = y[train_idx].mean(), y[train_idx].std()
X = torch.from_numpy((X - mu) / sd)
y = torch.from_numpy((y - y_mu) / y_sd)
X_train, y_train = X[train_idx], y[train_idx]
X_val, y_val = X[val_idx], y[val_idx]

# ---- model ------------------------------------------------------------
model = nn.Sequential(
    nn.Linear(5, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 1),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)


def mse(pred, target):
    return ((pred - target) ** 2).mean()


# ---- training ---------------------------------------------------------
batch = 64
for epoch in range(40):
    model.train()
    perm = torch.randperm(len(X_train))
    epoch_loss = 0.0
    for k in range(0, len(perm), batch):
        b = perm[k:k + batch]
        pred = model(X_train[b])
        loss = mse(pred, y_train[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(b)
    if (epoch + 1) % 5 == 0:
        print(f"epoch {epoch + 1}: mse {epoch_loss / len(perm):.4f}")

model.eval()
with torch.no_grad():
    pred = model(X_val).numpy().ravel() * y_sd + y_mu
true = y_val.numpy() * y_sd + y_mu
r2 = 1 - ((pred - true) ** 2).sum() / ((true - true.mean()) ** 2).sum()
print(f"val MAE {np.abs(pred - true).mean():.0f}   R2 {r2:.3f}")
