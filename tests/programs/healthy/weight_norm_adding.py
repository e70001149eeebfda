"""Weight norm adding.

split: train
"""

import torch
from torch import nn
from torch.nn.utils.parametrizations import weight_norm

torch.manual_seed(0)


class Causal(nn.Module):
    def __init__(self, cin, cout, dil):
        super().__init__()
        self.pad = 2 * dil
        self.conv = weight_norm(nn.Conv1d(cin, cout, 3, dilation=dil))
        self.skip = nn.Conv1d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x):
        return torch.relu(self.conv(nn.functional.pad(x, (self.pad, 0)))) + self.skip(x)


net = nn.Sequential(Causal(2, 16, 1), Causal(16, 16, 2), Causal(16, 16, 4), Causal(16, 16, 8), nn.Conv1d(16, 1, 1))


def adding(n, T=14):
    v = torch.rand(n, T)
    m = torch.zeros(n, T)
    for r in range(n):
        m[r, torch.randperm(T - 2)[:2]] = 1
    return torch.stack([v, m], 1), (v * m).sum(1)


opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for step in range(400):
    x, y = adding(64)
    loss = (net(x)[:, 0, -1] - y).square().mean()
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(step, loss.item())
x, y = adding(500)
with torch.no_grad():
    print("SCORE", -(net(x)[:, 0, -1] - y).square().mean().item())
