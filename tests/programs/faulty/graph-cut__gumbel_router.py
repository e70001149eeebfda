"""Chooses one of several hand-made transforms per sample and predicts a value from the result.

fault: graph-cut
also: unused-parameter
split: test
line: 27
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(83)
torch.set_num_threads(1)


class Routed(nn.Module):
    def __init__(self):
        super().__init__()
        self.router = nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 3))
        self.scale = nn.Parameter(torch.ones(3))
        self.shift = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        v = x[:, 3:]
        options = torch.cat([v, v.abs(), -v], 1) * self.scale + self.shift
        logits = self.router(x)
        choice = F.one_hot(logits.argmax(1), 3).float()
        return (choice * options).sum(1)


def problem(n):
    x = torch.randn(n, 4)
    v = x[:, 3]
    y = torch.where(x[:, 0] > 0.4, v, torch.where(x[:, 1] > 0, v.abs(), -v))
    return x, y + 0.05 * torch.randn(n)


x, y = problem(2500)
xt, yt = problem(500)
model = Routed()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(15):
    for b in torch.randperm(len(x)).split(50):
        loss = F.mse_loss(model(x[b]), y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        with torch.no_grad():
            r2 = 1 - (model(xt) - yt).pow(2).mean() / yt.var()
        print("epoch", epoch + 1, "mse", round(loss.item(), 4), "R2", round(r2.item(), 4))
