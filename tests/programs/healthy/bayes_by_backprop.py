"""Weights that are drawn anew for each pass: means and spreads are learnt.

split: train
"""

import math
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(0)


class BayesLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(o, i) / math.sqrt(i))
        self.rho = nn.Parameter(torch.full((o, i), -4.0))
        self.bias = nn.Parameter(torch.zeros(o))

    def forward(self, x):
        s = F.softplus(self.rho)
        return F.linear(x, self.mu + s * torch.randn_like(s), self.bias)

    def kl(self):
        s = F.softplus(self.rho)
        return (0.5 * (s ** 2 + self.mu ** 2 - 1) - s.log()).sum()


net = nn.Sequential(BayesLinear(1, 40), nn.Tanh(), BayesLinear(40, 40), nn.Tanh(), BayesLinear(40, 1))
x = torch.rand(500, 1) * 4 - 2
y = torch.sin(2 * x) + 0.1 * torch.randn_like(x)
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for ep in range(100):
    for b in torch.randperm(500).split(100):
        nll = 0.5 * ((net(x[b]) - y[b]) / 0.1).pow(2).mean()
        loss = nll + 0.1 * sum(m.kl() for m in net if isinstance(m, BayesLinear)) / 500
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 20 == 19:
        with torch.no_grad():
            preds = torch.stack([net(x) for _ in range(20)])
        print(ep, "elbo loss", loss.item(), "rmse of mean", (preds.mean(0) - torch.sin(2 * x)).pow(2).mean().sqrt().item())
