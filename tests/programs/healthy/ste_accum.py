"""Binary-weight network with a straight-through estimator, gradients accumulated over micro-batches.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, w):
        ctx.save_for_backward(w)
        return torch.where(w >= 0, 1.0, -1.0)

    @staticmethod
    def backward(ctx, g):
        (w,) = ctx.saved_tensors
        return g * (w.abs() <= 1)


class BinLinear(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(o, i).uniform_(-0.3, 0.3))
        self.gain = nn.Parameter(torch.full((o,), i ** -0.5))

    def forward(self, x):
        return F.linear(x, Sign.apply(self.weight)) * self.gain


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.na = BinLinear(64, 128), nn.LayerNorm(128)
        self.b, self.nb = BinLinear(128, 128), nn.LayerNorm(128)
        self.c = nn.Linear(128, 10)

    def forward(self, x):
        x = F.relu(self.na(self.a(x)))
        x = F.relu(self.nb(self.b(x)))
        return self.c(x)


torch.manual_seed(27)
torch.set_num_threads(1)
d = load_digits()
x = torch.tensor(d.data / 8.0 - 1.0, dtype=torch.float32)
y = torch.tensor(d.target)
p = torch.randperm(len(x))
xtr, ytr, xte, yte = x[p[:1400]], y[p[:1400]], x[p[1400:]], y[p[1400:]]

net = Net()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
accum, micro = 4, 14
for epoch in range(18):
    net.train()
    order = torch.randperm(len(xtr)).view(-1, micro)
    run = 0.0
    opt.zero_grad()
    for k, b in enumerate(order):
        loss = F.cross_entropy(net(xtr[b]), ytr[b])
        (loss / accum).backward()
        run += loss.item()
        if (k + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
            with torch.no_grad():
                net.a.weight.clamp_(-1, 1)
                net.b.weight.clamp_(-1, 1)
    net.eval()
    with torch.no_grad():
        acc = (net(xte).argmax(1) == yte).float().mean()
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1:2d} loss {run / len(order):.4f} test acc {acc:.4f}")
