"""Rare events with weights.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import average_precision_score, balanced_accuracy_score
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(50)
rng = np.random.default_rng(50)

N = 4000
X = rng.normal(size=(N, 10))
risk = 1.5 * X[:, 0] * X[:, 1] + X[:, 2] ** 2 + X[:, 3]
y = (risk > np.quantile(risk, 0.95)).astype(np.float32)
X[:, 5] = X[:, 5] * 300 + 1000
X[:, 6] = np.exp(X[:, 6])

n_train = 3000
mu, sd = X[:n_train].mean(0), X[:n_train].std(0)
X = torch.tensor((X - mu) / sd, dtype=torch.float32)
y = torch.tensor(y)
train = DataLoader(TensorDataset(X[:n_train], y[:n_train]), batch_size=64, shuffle=True)

pos = y[:n_train].sum()
pos_weight = ((n_train - pos) / pos).sqrt()
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1), nn.Flatten(0))
loss_fn = nn.BCEWithLogitsLoss(pos_weight=pos_weight)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
nn.init.constant_(net[-2].bias, float(torch.log(pos / (n_train - pos))))

for epoch in range(1, 16):
    net.train()
    tot = 0.0
    for xb, yb in train:
        opt.zero_grad()
        loss = loss_fn(net(xb), yb)
        loss.backward()
        opt.step()
        tot += loss.item() * len(xb)
    if epoch % 3 == 0:
        net.eval()
        with torch.no_grad():
            p = torch.sigmoid(net(X[n_train:])).numpy()
        t = y[n_train:].numpy()
        print(f"epoch {epoch:2d} loss {tot / n_train:.4f} AP {average_precision_score(t, p):.3f} bal-acc {balanced_accuracy_score(t, p > 0.5):.3f}")
