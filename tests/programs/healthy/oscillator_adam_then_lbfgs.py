"""A differential equation, first by Adam and then by LBFGS.

split: train
"""

import math

import torch
import torch.nn as nn

torch.manual_seed(7)
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
t = torch.linspace(0, math.pi, 60).unsqueeze(1).requires_grad_()
zero = torch.zeros(1, 1, requires_grad=True)


def residual():
    u = net(t)
    du, = torch.autograd.grad(u.sum(), t, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), t, create_graph=True)
    u0 = net(zero)
    du0, = torch.autograd.grad(u0.sum(), zero, create_graph=True)
    return (ddu + u).pow(2).mean() + u0.pow(2).sum() + (du0 - 1).pow(2).sum()


adam = torch.optim.Adam(net.parameters(), lr=5e-3)
for i in range(400):
    adam.zero_grad()
    loss = residual()
    loss.backward()
    adam.step()
    if i % 100 == 99:
        print("adam", i + 1, loss.item())
lbfgs = torch.optim.LBFGS(net.parameters(), lr=0.8, max_iter=15, history_size=20, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = residual()
    loss.backward()
    return loss


for i in range(8):
    loss = lbfgs.step(closure)
    print("lbfgs", i, loss.item())
with torch.no_grad():
    print("largest error", (net(t) - torch.sin(t)).abs().max().item())
