"""Two intertwined spirals separated by a deep network.

fault: missing-nonlinearity
also:
split: test
line: 33
"""
import math
import torch
import torch.nn as nn

torch.manual_seed(1)
torch.set_num_threads(1)


def spirals(n):
    r = torch.rand(n).sqrt() * 3 * math.pi * 0.7
    s = torch.randint(0, 2, (n,))
    ang = r + math.pi * s
    pts = torch.stack([r * ang.cos(), r * ang.sin()], 1) / 4 + 0.03 * torch.randn(n, 2)
    return pts, s.float()


class SpiralNet(nn.Module):
    def __init__(self, hidden=(48, 48, 48)):
        super().__init__()
        dims = (2,) + hidden
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.final = nn.Linear(hidden[-1], 1)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.final(x).squeeze(-1)


x, y = spirals(1500)
xt, yt = spirals(500)
net = SpiralNet()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
for it in range(600):
    b = torch.randint(0, 1500, (128,))
    loss = nn.functional.binary_cross_entropy_with_logits(net(x[b]), y[b])
    opt.zero_grad(); loss.backward(); opt.step()
    if it % 150 == 149:
        with torch.no_grad():
            acc = ((net(xt) > 0).float() == yt).float().mean()
        print("iter", it + 1, "loss %.4f" % loss.item(), "acc %.4f" % acc)
