"""Physics-informed network for a damped oscillator u'' + 2*d*u' + w0^2*u = 0, u(0)=1, u'(0)=0.

split: test
"""

import math

import torch
from torch import nn

torch.manual_seed(123)
torch.set_num_threads(1)

d, w0 = 1.0, 6.0
w = math.sqrt(w0 ** 2 - d ** 2)


def exact(t):
    phi = math.atan(-d / w)
    A = 1 / (2 * math.cos(phi))
    return torch.exp(-d * t) * 2 * A * torch.cos(phi + w * t)


class PINN(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, t):
        return self.layers(2 * t - 1)


def diff(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


net = PINN()
t_col = torch.linspace(0, 1, 60)[:, None].requires_grad_(True)
t0 = torch.zeros(1, 1, requires_grad=True)


def compute_loss():
    u = net(t_col)
    du = diff(u, t_col)
    ddu = diff(du, t_col)
    residual = (ddu + 2 * d * du + w0 ** 2 * u) / w0 ** 2
    u0 = net(t0)
    du0 = diff(u0, t0)
    return residual.pow(2).mean() + (u0 - 1).pow(2).sum() + (du0 / w0).pow(2).sum()


adam = torch.optim.Adam(net.parameters(), lr=5e-3)
for i in range(300):
    adam.zero_grad()
    loss = compute_loss()
    loss.backward()
    adam.step()
    if i % 100 == 0:
        print(f"adam {i:4d} loss {loss.item():.3e}")

lbfgs = torch.optim.LBFGS(net.parameters(), lr=1.0, max_iter=20, history_size=30, line_search_fn="strong_wolfe")


def closure():
    lbfgs.zero_grad()
    loss = compute_loss()
    loss.backward()
    return loss


for i in range(20):
    loss = lbfgs.step(closure)
    if i % 5 == 4:
        print(f"lbfgs {i + 1:2d} loss {loss.item():.3e}")

t = torch.linspace(0, 1, 300)[:, None]
with torch.no_grad():
    err = (net(t) - exact(t)).norm() / exact(t).norm()
print(f"relative L2 error against the exact solution: {err.item():.4f}")
