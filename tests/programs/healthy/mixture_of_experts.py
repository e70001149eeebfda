"""A softmax gate over four experts and a small balance term, on a function that changes from region to region.

split: train
"""

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(97)


class Mixture(nn.Module):
    def __init__(self, experts=4):
        super().__init__()
        self.gate = nn.Linear(2, experts)
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(2, 24), nn.ReLU(), nn.Linear(24, 1)) for _ in range(experts)
        )

    def forward(self, x):
        share = self.gate(x).softmax(-1)
        answers = torch.cat([expert(x) for expert in self.experts], -1)
        return (share * answers).sum(-1), share


x = torch.rand(2400, 2) * 2 - 1
y = torch.where(x[:, 0] > 0, torch.sin(4 * x[:, 1]), x[:, 1] ** 2 - x[:, 0])
model = Mixture()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for _epoch in range(15):
    for rows in torch.randperm(2000).split(64):
        guess, share = model(x[rows])
        balance = share.mean(0).pow(2).sum() * 4 - 1
        loss = nn.functional.mse_loss(guess, y[rows]) + 0.01 * balance
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
with torch.no_grad():
    guess, _ = model(x[2000:])
    print("R2", 1 - ((guess - y[2000:]).pow(2).mean() / y[2000:].var()).item())
