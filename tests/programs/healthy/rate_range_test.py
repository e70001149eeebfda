"""A learning-rate range test that runs until the loss explodes, weights restored, then the real training.

split: train
"""

import copy
import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16, dtype=torch.float32), torch.tensor(d.target)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))


def batches(size):
    while True:
        for idx in torch.randperm(1400).split(size):
            yield X[idx], y[idx]


def find_lr(lo=1e-4, hi=20.0, steps=100):
    keep = copy.deepcopy(net.state_dict())
    opt = torch.optim.SGD(net.parameters(), lr=lo, momentum=0.9)
    lrs, losses = [], []
    for k, (xb, yb) in zip(range(steps), batches(64)):
        opt.param_groups[0]["lr"] = lo * (hi / lo) ** (k / (steps - 1))
        loss = nn.functional.cross_entropy(net(xb), yb)
        if k > 10 and loss.item() > 4 * min(losses):
            break
        lrs.append(opt.param_groups[0]["lr"])
        losses.append(loss.item())
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.load_state_dict(keep)
    return lrs[losses.index(min(losses))] / 10


lr = find_lr()
print(f"chosen lr {lr:.3g}")
opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
for epoch in range(12):
    for idx in torch.randperm(1400).split(64):
        loss = nn.functional.cross_entropy(net(X[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    print("loss", loss.item(), "test", (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
