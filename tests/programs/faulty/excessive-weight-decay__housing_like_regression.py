"""Friedman regression problem with a regularised MLP.

fault: excessive-weight-decay
also:
split: train
line: 19
"""
from sklearn.datasets import make_friedman1
import torch as th
from torch import nn

th.manual_seed(71)
th.set_num_threads(1)
X, y = make_friedman1(n_samples=1600, n_features=10, noise=0.5, random_state=71)
X, y = th.tensor(X, dtype=th.float32), th.tensor(y, dtype=th.float32)
tr, te = slice(0, 1200), slice(1200, None)
X = (X - X[tr].mean(0)) / X[tr].std(0)
y = (y - y[tr].mean()) / y[tr].std()
hp = dict(lr=3e-3, weight_decay=0.5)

reg = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1), nn.Flatten(0))
opt = th.optim.Adam(reg.parameters(), **hp)
huber = nn.HuberLoss()
for epoch in range(25):
    for i in th.randperm(1200).split(60):
        opt.zero_grad()
        huber(reg(X[tr][i]), y[tr][i]).backward()
        opt.step()
    if epoch % 6 == 0:
        with th.no_grad():
            p = reg(X[te])
            r2 = 1 - (p - y[te]).square().mean() / y[te].var()
        print(f"epoch {epoch:2d}  test R2 {r2:.4f}")
