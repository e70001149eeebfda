"""Wines sorted in micro-batches, of which eight make an update.

split: train
"""

from dataclasses import dataclass

import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    micro_batch: int = 4
    accum_steps: int = 8
    epochs: int = 60
    lr: float = 0.05
    seed: int = 5


cfg = Config()
torch.manual_seed(cfg.seed)
X, y = load_wine(return_X_y=True)
X = torch.tensor(StandardScaler().fit_transform(X), dtype=torch.float32)
y = torch.tensor(y)
g = torch.Generator().manual_seed(0)
perm = torch.randperm(len(X), generator=g)
tr, te = perm[:128], perm[128:]
loader = DataLoader(TensorDataset(X[tr], y[tr]), batch_size=cfg.micro_batch, shuffle=True)

model = nn.Sequential(nn.Linear(13, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 3))
optimizer = torch.optim.SGD(model.parameters(), lr=cfg.lr)
criterion = nn.CrossEntropyLoss()

for epoch in range(cfg.epochs):
    model.train()
    running = 0.0
    optimizer.zero_grad()
    for i, (xb, yb) in enumerate(loader):
        loss = criterion(model(xb), yb) / cfg.accum_steps
        loss.backward()
        running += loss.item() * cfg.accum_steps
        if (i + 1) % cfg.accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            acc = (model(X[te]).argmax(1) == y[te]).float().mean()
        print(f"epoch {epoch + 1} train loss {running / len(loader):.4f} test acc {acc:.3f}")
