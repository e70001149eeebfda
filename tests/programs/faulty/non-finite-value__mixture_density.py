"""A mixture density network on a curve with two branches, with its likelihood written out.

fault: non-finite-value
also:
split: train
line: 33
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(301)


class MixtureNetwork(nn.Module):
    def __init__(self, parts=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh())
        self.share = nn.Linear(40, parts)
        self.mean = nn.Linear(40, parts)
        self.width = nn.Linear(40, parts)

    def forward(self, x):
        h = self.body(x)
        return self.share(h).softmax(1), self.mean(h), nn.functional.softplus(self.width(h)) + 1e-3


def negative_log_likelihood(share, mean, width, y):
    distance = (y - mean) / width
    density = torch.exp(-0.5 * distance**2) / width
    total = (share * density).sum(1)
    return -torch.log(total).mean()


x = torch.rand(2000, 1) * 4 - 2
branch = torch.randint(0, 2, (2000, 1)) * 2 - 1
y = 4 * branch * (x.abs() + 0.5) + 0.1 * torch.randn(2000, 1)
model = MixtureNetwork()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(20):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = negative_log_likelihood(*model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch}: {loss.item():.4f}")
