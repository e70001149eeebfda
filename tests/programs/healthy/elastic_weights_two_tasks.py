"""Continual learning with elastic weight consolidation: task B without forgetting task A.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16, dtype=torch.float32), torch.tensor(d.target)
perm = torch.randperm(64)
tasks = [(X, y), (X[:, perm], y)]
net = nn.Sequential(nn.Linear(64, 200), nn.ReLU(), nn.Linear(200, 10))
anchor, fisher = {}, {}


def penalty():
    if not anchor:
        return 0.0
    return sum((fisher[n] * (p - anchor[n]).pow(2)).sum() for n, p in net.named_parameters())


def acc(t):
    with torch.no_grad():
        return round((net(tasks[t][0][1400:]).argmax(1) == y[1400:]).float().mean().item(), 3)


for t, (xt, yt) in enumerate(tasks):
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(10):
        for idx in torch.randperm(1400).split(50):
            loss = F.cross_entropy(net(xt[idx]), yt[idx]) + 200 * penalty()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
    print(f"after task {t}:", [acc(k) for k in range(t + 1)])
    fisher = {n: torch.zeros_like(p) for n, p in net.named_parameters()}
    for i in range(200):
        net.zero_grad()
        out = F.log_softmax(net(xt[i : i + 1]), 1)
        out[0, torch.multinomial(out.exp()[0].detach(), 1)].sum().backward()
        for n, p in net.named_parameters():
            fisher[n] += p.grad.pow(2) / 200
    net.zero_grad()
    anchor = {n: p.detach().clone() for n, p in net.named_parameters()}
