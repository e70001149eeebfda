"""Three networks over sets, one after the other, and their mean.

split: train
"""

import torch
from torch import nn

torch.manual_seed(12)


class DeepSet(nn.Module):
    def __init__(self):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(2, 32), nn.ReLU(), nn.Linear(32, 32))
        self.rho = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, x, mask):
        return self.rho((self.phi(x) * mask.unsqueeze(-1)).sum(1) / 4).squeeze(-1)


def sets(n):
    x = torch.randn(n, 9, 2)
    size = torch.randint(3, 10, (n,))
    mask = (torch.arange(9) < size[:, None]).float()
    weight = x[..., 1].exp().clamp(max=5) * mask
    y = (x[..., 0] * weight).sum(1) / 4
    return x, mask, y


train, test = sets(3000), sets(600)
members = []
for m in range(3):
    net = DeepSet()
    opt = torch.optim.NAdam(net.parameters(), lr=3e-3)
    for epoch in range(6):
        for rows in torch.randperm(3000).split(60):
            x, mask, y = (t[rows] for t in train)
            loss = nn.functional.huber_loss(net(x, mask), y)
            net.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        p = net(test[0], test[1])
    members.append(p)
    print("member", m, "r2", 1 - ((p - test[2]) ** 2).mean().item() / test[2].var().item())
p = torch.stack(members).mean(0)
print("ensemble r2", 1 - ((p - test[2]) ** 2).mean().item() / test[2].var().item())
