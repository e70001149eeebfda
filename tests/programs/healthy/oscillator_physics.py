"""Physics-informed network for u'' + u = 0, u(0)=1, u'(0)=0; no data at all.

split: test
"""
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
opt = torch.optim.Adam(net.parameters(), lr=4e-3)


def d(u, t):
    return torch.autograd.grad(u.sum(), t, create_graph=True)[0]


t0 = torch.zeros(1, 1, requires_grad=True)
for it in range(700):
    t = (torch.rand(64, 1) * 3.5).requires_grad_()
    u = net(t)
    residual = d(d(u, t), t) + u
    u0 = net(t0)
    loss = residual.pow(2).mean() + 5 * (u0 - 1).pow(2).mean() + 5 * d(u0, t0).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 100 == 0:
        print(it, loss.item())
t = torch.linspace(0, 3.5, 50)[:, None]
with torch.no_grad():
    print("SCORE", -(net(t) - t.cos()).abs().mean().item())
