"""Physics-informed network for a damped oscillator, trained with L-BFGS.

split: train
"""
import math

import torch
import torch.nn as nn

torch.manual_seed(0)
ZETA, OMEGA = 0.2, 4.0  # u'' + 2 zeta omega u' + omega^2 u = 0, u(0)=1, u'(0)=0

net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
t_col = torch.linspace(0, 2, 80).unsqueeze(1).requires_grad_(True)
t0 = torch.zeros(1, 1, requires_grad=True)


def d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def residual_loss():
    u = net(t_col)
    du = d(u, t_col)
    ddu = d(du, t_col)
    ode = (ddu + 2 * ZETA * OMEGA * du + OMEGA ** 2 * u) / OMEGA ** 2
    u0 = net(t0)
    return ode.pow(2).mean() + (u0 - 1).pow(2).mean() + (d(u0, t0) / OMEGA).pow(2).mean()


def closure():
    opt.zero_grad()
    loss = residual_loss()
    loss.backward()
    return loss


opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=50, line_search_fn="strong_wolfe")
for it in range(60):
    loss = opt.step(closure)
    if it % 10 == 9:
        print(f"iteration {it + 1} loss {loss.item():.3e}")

t = torch.linspace(0, 2, 201).unsqueeze(1)
wd = OMEGA * math.sqrt(1 - ZETA ** 2)
exact = torch.exp(-ZETA * OMEGA * t) * (torch.cos(wd * t) + ZETA * OMEGA / wd * torch.sin(wd * t))
with torch.no_grad():
    err = (net(t) - exact).norm() / exact.norm()
print(f"relative error {err.item():.5f}")
