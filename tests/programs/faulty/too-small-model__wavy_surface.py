"""A wavy surface over two numbers.

fault: too-small-model
also:
split: train
line: 19, 20
"""

import torch
from torch import nn

torch.manual_seed(60)


def surface(p):
    return (torch.sin(3 * p[:, :1]) * torch.cos(3 * p[:, 1:]) + 0.5 * p[:, :1] * p[:, 1:]) / 0.55


def make_net(hidden=2):
    return nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1))


points = torch.rand(2500, 2) * 3 - 1.5
values = surface(points)
grid = torch.cartesian_prod(torch.linspace(-1.5, 1.5, 30), torch.linspace(-1.5, 1.5, 30))
truth = surface(grid)

net = make_net()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 10, 0.5)
print(sum(p.numel() for p in net.parameters()), "parameters")
for epoch in range(30):
    perm = torch.randperm(2500)
    for i in range(0, 2500, 50):
        take = perm[i:i + 50]
        opt.zero_grad()
        err = ((net(points[take]) - values[take]) ** 2).mean()
        err.backward()
        opt.step()
    sched.step()
    if (epoch + 1) % 6 == 0:
        with torch.no_grad():
            print(f"{epoch + 1:3d}  batch {err.item():.5f}  grid {((net(grid) - truth) ** 2).mean().item():.5f}")
