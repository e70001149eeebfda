"""Sharpness-aware minimisation: two backward passes for each step, weights moved away and put back.

split: train
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base, rho=0.05, **kw):
        super().__init__(params, dict(rho=rho, **kw))
        self.base = base(self.param_groups, **kw)
        self.param_groups = self.base.param_groups

    @torch.no_grad()
    def first_step(self):
        norm = torch.norm(torch.stack([p.grad.norm() for g in self.param_groups for p in g["params"] if p.grad is not None]))
        for g in self.param_groups:
            for p in g["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old"] = p.data.clone()
                p.add_(p.grad * (g["rho"] / (norm + 1e-12)))
        self.zero_grad()

    @torch.no_grad()
    def second_step(self):
        for g in self.param_groups:
            for p in g["params"]:
                if "old" in self.state[p]:
                    p.data = self.state[p]["old"]
        self.base.step()
        self.zero_grad()

    def step(self, closure=None):
        raise NotImplementedError


torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X / 16, dtype=torch.float32), torch.tensor(y)
net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
opt = SAM(net.parameters(), torch.optim.SGD, rho=0.05, lr=0.1, momentum=0.9)
crit = nn.CrossEntropyLoss(label_smoothing=0.1)
for ep in range(12):
    for b in torch.randperm(1400).split(64):
        loss = crit(net(X[b]), y[b])
        loss.backward()
        opt.first_step()
        crit(net(X[b]), y[b]).backward()
        opt.second_step()
    with torch.no_grad():
        print(ep, loss.item(), (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item())
