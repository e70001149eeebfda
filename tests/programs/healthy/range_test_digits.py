"""Range test for the learning rate first, then the training itself from the same start.

split: test
"""
import copy
import math
import torch
from torch import nn
from torch.nn import functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
x, y = torch.tensor(d.data).float() / 8 - 0.6, torch.tensor(d.target)


def build():
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def find(model, lo=1e-4, hi=5.0, steps=50):
    probe = copy.deepcopy(model)
    opt = torch.optim.SGD(probe.parameters(), lr=lo)
    lrs, losses, smooth = [], [], None
    for k in range(steps):
        lr = lo * (hi / lo) ** (k / (steps - 1))
        opt.param_groups[0]["lr"] = lr
        i = torch.randint(0, 1400, (64,))
        loss = F.cross_entropy(probe(x[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
        smooth = loss.item() if smooth is None else 0.8 * smooth + 0.2 * loss.item()
        lrs.append(lr); losses.append(smooth)
        if smooth > 4 * min(losses):
            break
    return lrs[losses.index(min(losses))] / 3


model = build()
lr = find(model)
print("chosen lr", lr)
opt = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.5)
for epoch in range(8):
    for i in torch.randperm(1400).split(64):
        loss = F.cross_entropy(model(x[i]), y[i])
        opt.zero_grad(); loss.backward(); opt.step()
with torch.no_grad():
    print("SCORE", (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item())
