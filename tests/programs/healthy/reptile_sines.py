"""Reptile: inner SGD on a task, then the weights are pulled a step from the old towards the new ones, by state dict.

split: train
"""

import copy
import math
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh(), nn.Linear(48, 1))
grid = torch.linspace(-4, 4, 50)[:, None]


def task():
    a, ph = 0.5 + 2 * torch.rand(()), math.pi * torch.rand(())
    return lambda x: a * torch.sin(x + ph)


def inner(fn, x, steps):
    opt = torch.optim.SGD(net.parameters(), lr=0.02)
    for _ in range(steps):
        loss = (net(x) - fn(x)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def evaluate():
    keep, tot = copy.deepcopy(net.state_dict()), 0.0
    for _ in range(10):
        fn = task()
        inner(fn, torch.rand(10, 1) * 8 - 4, 10)
        with torch.no_grad():
            tot += (net(grid) - fn(grid)).pow(2).mean().item() / 10
        net.load_state_dict(keep)
    return tot


for it in range(600):
    before = copy.deepcopy(net.state_dict())
    inner(task(), torch.rand(20, 1) * 8 - 4, 5)
    eps = 0.5 * (1 - it / 600)
    after = net.state_dict()
    net.load_state_dict({k: before[k] + eps * (after[k] - before[k]) for k in before})
    if it % 150 == 149:
        print(it + 1, "after 10 steps on a new task:", round(evaluate(), 3))
