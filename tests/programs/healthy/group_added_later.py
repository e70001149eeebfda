"""A head first, then the body, added to the same optimizer.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits

torch.manual_seed(5)
x, y = load_digits(return_X_y=True)
x = torch.tensor(x, dtype=torch.float32) / 8 - 1
y = torch.tensor(y)
idx = torch.randperm(len(x))
x, y = x[idx], y[idx]
body = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
even_odd = nn.Linear(32, 2)
opt = torch.optim.Adam([*body.parameters(), *even_odd.parameters()], lr=2e-3)
ce = nn.CrossEntropyLoss()


def epoch(model, opt, target):
    for rows in torch.randperm(1400).split(50):
        loss = ce(model(x[rows]), target[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


for e in range(5):
    print("pretrain", e, epoch(nn.Sequential(body, even_odd), opt, y % 2))

model = nn.Sequential(body, nn.Linear(32, 10))
body.requires_grad_(False)
opt = torch.optim.Adam(model[1].parameters(), lr=5e-3)
for e in range(4):
    print("head", e, epoch(model, opt, y))
body.requires_grad_(True)
opt.add_param_group({"params": body.parameters(), "lr": 1e-3})
for e in range(6):
    print("all", e, epoch(model, opt, y))
with torch.no_grad():
    print("test accuracy", (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item())
