"""Digits with an init function given to model.apply.

fault: constant-init
also:
split: test
line: 19
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.01)
        nn.init.constant_(m.bias, 0.0)


data = load_digits()
X = torch.tensor(data.data, dtype=torch.float32) / 16.0
t = torch.tensor(data.target)
perm = torch.randperm(len(X))
X, t = X[perm], t[perm]

mlp = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
mlp.apply(init_weights)
opt = torch.optim.Adam(mlp.parameters(), lr=2e-3)
for epoch in range(15):
    for i in range(0, 1400, 64):
        xb, tb = X[i : min(i + 64, 1400)], t[i : min(i + 64, 1400)]
        loss = nn.functional.cross_entropy(mlp(xb), tb)
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (mlp(X[1400:]).argmax(1) == t[1400:]).float().mean()
    print(f"{epoch:3d} {loss.item():.4f} {acc:.3f}")
