"""A differential equation, solved by a net with LBFGS.

split: test
"""

import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)


class Sine(nn.Module):
    def forward(self, x):
        return torch.sin(x)


net = nn.Sequential(nn.Linear(1, 24), Sine(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))

# u'' + u = -3 sin(2x),  u(0) = 0, u(pi/2) = 1   =>   u = sin(x) + sin(2x)
x_in = torch.linspace(0, math.pi / 2, 64).unsqueeze(1).requires_grad_(True)
x_bc = torch.tensor([[0.0], [math.pi / 2]])
u_bc = torch.tensor([[0.0], [1.0]])
source = (-3 * torch.sin(2 * x_in)).detach()


def residual(x):
    u = net(x)
    du = torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]
    d2u = torch.autograd.grad(du, x, torch.ones_like(du), create_graph=True)[0]
    return d2u + u - source


opt = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=20, line_search_fn="strong_wolfe")
x_test = (torch.rand(200, 1) * math.pi / 2)
exact = torch.sin(x_test) + torch.sin(2 * x_test)


def closure():
    opt.zero_grad()
    pde = residual(x_in).pow(2).mean()
    bc = (net(x_bc) - u_bc).pow(2).mean()
    loss = pde + 10 * bc
    loss.backward()
    return loss


for outer in range(15):
    loss = opt.step(closure)
    with torch.no_grad():
        err = (net(x_test) - exact).abs().max().item()
    print(f"round {outer:2d} loss {loss.item():.3e} max error {err:.3e}")
