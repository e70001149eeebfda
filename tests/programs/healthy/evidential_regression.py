"""Pinball loss for three quantiles; deep evidential regression (normal-inverse-gamma).

split: test
"""

import math, torch
from torch import nn
import torch.nn.functional as F
torch.manual_seed(38)
def data(n):
    x = torch.rand(n, 1) * 6 - 3
    return x, torch.sin(x) + (.1 + .2 * x.abs()) * torch.randn(n, 1)
q = torch.tensor([.1, .5, .9])
net = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 3))
opt = torch.optim.Adam(net.parameters(), 3e-3)
for it in range(600):
    x, y = data(256)
    e = y - net(x)
    loss = torch.maximum(q * e, (q - 1) * e).sum(1).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 100 == 99: print("pinball", it, loss.item(), (e < 0).float().mean(0).tolist())
class Evi(nn.Module):
    def __init__(self): super().__init__(); self.b = nn.Sequential(nn.Linear(1, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
    def forward(self, x):
        g, v, a, b = self.b(x).chunk(4, 1)
        return g, F.softplus(v) + 1e-4, F.softplus(a) + 1.0001, F.softplus(b) + 1e-4
m = Evi(); opt = torch.optim.Adam(m.parameters(), 2e-3)
for it in range(700):
    x, y = data(256); g, v, a, b = m(x); om = 2 * b * (1 + v)
    nll = .5 * torch.log(math.pi / v) - a * torch.log(om) + (a + .5) * torch.log(v * (y - g) ** 2 + om) + torch.lgamma(a) - torch.lgamma(a + .5)
    loss = (nll + .01 * (y - g).abs() * (2 * v + a)).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 100 == 99: print("evidential", it, loss.item())
