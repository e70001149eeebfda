"""Stopped at the best.

split: train
"""

import copy
import torch
from torch import nn
from sklearn.datasets import make_friedman2

torch.manual_seed(2)
X, y = make_friedman2(1200, noise=60, random_state=2)
X, y = torch.tensor(X).float(), torch.tensor(y).float()
X = (X - X[:700].mean(0)) / X[:700].std(0)
m, s = y[:700].mean(), y[:700].std()
t = (y - m) / s
net = nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Dropout(0.05), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-3)
plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.5, patience=2)
best, best_state, bad = float("inf"), None, 0
for epoch in range(60):
    net.train()
    for i in torch.randperm(700).split(32):
        opt.zero_grad()
        loss = nn.functional.huber_loss(net(X[i]).squeeze(1), t[i])
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        val = nn.functional.mse_loss(net(X[700:950]).squeeze(1), t[700:950]).item()
    plateau.step(val)
    if val < best - 1e-4:
        best, best_state, bad = val, copy.deepcopy(net.state_dict()), 0
    else:
        bad += 1
        if bad >= 6:
            print("stopped at epoch", epoch)
            break
net.load_state_dict(best_state)
with torch.no_grad():
    pred = net(X[950:]).squeeze(1) * s + m
print("SCORE", (1 - (pred - y[950:]).pow(2).mean() / y[950:].var()).item())
