"""Solves the oscillator equation by penalising its residual at random points, derivatives by autograd.

split: test
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(16)
net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 1000)


def solution(t):
    return 1 + t * t * net(t)


for step in range(1000):
    t = (torch.rand(64, 1) * 3).requires_grad_()
    u = solution(t)
    (du,) = torch.autograd.grad(u.sum(), t, create_graph=True)
    (ddu,) = torch.autograd.grad(du.sum(), t, create_graph=True)
    loss = (ddu + u).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    if step % 200 == 0:
        print(f"step {step} residual {loss.item():.5f}")
grid = torch.linspace(0, 3, 100).unsqueeze(1)
with torch.no_grad():
    print(f"largest error against cos(t): {(solution(grid) - grid.cos()).abs().max():.4f}")
