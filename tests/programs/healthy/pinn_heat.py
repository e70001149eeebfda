"""PINN for the heat equation u_t = a u_xx on [0,1] with u(x,0)=sin(pi x), u(0,t)=u(1,t)=0.

split: test
"""

import math
import torch
from torch import nn

torch.manual_seed(3)
A = 0.2


def exact(x, t):
    return torch.exp(-A * math.pi ** 2 * t) * torch.sin(math.pi * x)


class PINN(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(i, o) for i, o in zip(dims, dims[1:]))
        self.last = nn.Linear(width, 1)
        for l in self.hidden:
            nn.init.xavier_normal_(l.weight)
            nn.init.zeros_(l.bias)

    def forward(self, x, t):
        h = torch.cat([2 * x - 1, 2 * t - 1], 1)
        for l in self.hidden:
            h = torch.tanh(l(h))
        return self.last(h)


def residual(net, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = net(x, t)
    u_t, u_x = torch.autograd.grad(u.sum(), (t, x), create_graph=True)
    u_xx, = torch.autograd.grad(u_x.sum(), x, create_graph=True)
    return u_t - A * u_xx


net = PINN()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
STEPS = 2000
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS, eta_min=1e-5)
gx, gt = torch.meshgrid(torch.linspace(0, 1, 41), torch.linspace(0, 1, 41), indexing="ij")
gx, gt = gx.reshape(-1, 1), gt.reshape(-1, 1)
truth = exact(gx, gt)

for step in range(STEPS):
    xf, tf = torch.rand(256, 1), torch.rand(256, 1)
    x0 = torch.rand(64, 1)
    tb = torch.rand(64, 1)
    xb = (torch.rand(64, 1) > 0.5).float()
    loss_f = residual(net, xf, tf).pow(2).mean()
    loss_0 = (net(x0, torch.zeros_like(x0)) - torch.sin(math.pi * x0)).pow(2).mean()
    loss_b = net(xb, tb).pow(2).mean()
    loss = loss_f + 10 * loss_0 + 10 * loss_b
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 250 == 0 or step == STEPS - 1:
        with torch.no_grad():
            err = (net(gx, gt) - truth).norm() / truth.norm()
        print(f"{step:5d} pde {loss_f.item():.2e} ic {loss_0.item():.2e} bc {loss_b.item():.2e} rel L2 error {err.item():.4f}")
