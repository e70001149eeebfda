"""Damped oscillator u'' + 2 c u' + w^2 u = 0 fitted with a small PINN and L-BFGS.

split: test
"""

import math
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)

c, w = 0.5, 3.0
net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
t_col = torch.linspace(0, 3, 80).unsqueeze(1).requires_grad_(True)
t0 = torch.zeros(1, 1, requires_grad=True)


def exact(t):
    wd = math.sqrt(w * w - c * c)
    return torch.exp(-c * t) * (torch.cos(wd * t) + c / wd * torch.sin(wd * t))


def grad(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def loss_terms():
    u = net(t_col / 1.5 - 1)
    du = grad(u, t_col)
    ddu = grad(du, t_col)
    physics = (ddu + 2 * c * du + w * w * u).pow(2).mean()
    u0 = net(t0 / 1.5 - 1)
    start = (u0 - 1).pow(2).mean() + grad(u0, t0).pow(2).mean()
    return physics, start


opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=50, line_search_fn="strong_wolfe")


def closure():
    opt.zero_grad()
    physics, start = loss_terms()
    loss = physics + 20 * start
    loss.backward()
    return loss


for it in range(25):
    loss = opt.step(closure)
    if it % 5 == 4:
        physics, start = loss_terms()
        print(f"iteration {it + 1:3d} loss {loss.item():.3e} physics {physics.item():.3e} start {start.item():.3e}")

t_test = torch.linspace(0, 3, 333).unsqueeze(1)
with torch.no_grad():
    err = (net(t_test / 1.5 - 1) - exact(t_test)).abs()
print(f"max error {err.max().item():.4f}  mean error {err.mean().item():.4f}")
