"""Adapts a pre-trained encoder to rotated sensor boards with a new head.

fault: optimizer-missing-parameters
also:
split: test
line: 54
"""
import torch
from torch import nn

torch.manual_seed(91)
torch.set_num_threads(1)


class Board(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(30, 24), nn.ReLU(), nn.Linear(24, 6), nn.ReLU())
        self.head = nn.Linear(6, n_out)

    def forward(self, x):
        return self.head(self.encoder(x))


def boards(n, offset):
    y = torch.randint(0, 6, (n,))
    g = torch.Generator().manual_seed(offset)
    centers = torch.zeros(6, 30)
    centers[:, offset:offset + 8] = 1.3 * torch.randn(6, 8, generator=g)
    return centers[y] + torch.randn(n, 30), y


def fit(net, opt, x, y, epochs):
    for _ in range(epochs):
        for i in torch.randperm(len(x)).split(32):
            loss = nn.functional.cross_entropy(net(x[i]), y[i])
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


def acc(net, x, y):
    with torch.no_grad():
        return (net(x).argmax(1) == y).float().mean().item()


old, new = boards(1500, 0), boards(1500, 16)
old_t, new_t = boards(400, 0), boards(400, 16)
net = Board(6)
fit(net, torch.optim.Adam(net.parameters(), lr=3e-3), *old, 10)
print(f"old boards accuracy {acc(net, *old_t):.4f}")
net.head = nn.Linear(6, 6)
optimizer = torch.optim.Adam(net.head.parameters(), lr=3e-3)
for r in range(4):
    l = fit(net, optimizer, *new, 4)
    print(f"round {r} loss {l:.4f} new boards accuracy {acc(net, *new_t):.4f}")
