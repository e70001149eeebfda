"""Dense mixture of experts that fits a piecewise function of two inputs.

fault: unregistered-layer
also:
split: train
line: 28
"""
import torch
from torch import nn, optim

torch.manual_seed(77)
torch.set_num_threads(1)


class Expert(nn.Module):
    def __init__(self, d_in, d_h):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d_in, d_h), nn.GELU(), nn.Linear(d_h, 1))

    def forward(self, x):
        return self.body(x)


class MoE(nn.Module):
    def __init__(self, d_in=2, n_experts=4, d_h=16):
        super().__init__()
        self.gate = nn.Sequential(nn.Linear(d_in, 16), nn.Tanh(), nn.Linear(16, n_experts))
        self.experts = [Expert(d_in, d_h) for _ in range(n_experts)]

    def forward(self, x):
        w = torch.softmax(self.gate(x), dim=-1)
        y = torch.cat([e(x) for e in self.experts], dim=-1)
        return (w * y).sum(-1), w


def target(x):
    a, b = x[:, 0], x[:, 1]
    out = torch.where(a > 0, torch.sin(3 * b), b ** 2 - 1)
    return torch.where(b > 1, out + 1.0, out)


def load_balance(w):
    m = w.mean(0)
    return (m * m).sum() * w.size(1)


x_tr = torch.randn(2000, 2)
y_tr = target(x_tr) + 0.05 * torch.randn(2000)
x_te = torch.randn(500, 2)
y_te = target(x_te)
moe = MoE()
opt = optim.Adam(moe.parameters(), lr=5e-3)
for epoch in range(16):
    for idx in torch.randperm(2000).split(50):
        pred, w = moe(x_tr[idx])
        loss = (pred - y_tr[idx]).square().mean() + 0.01 * load_balance(w)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
    with torch.no_grad():
        p, w = moe(x_te)
        r2 = 1 - (p - y_te).square().sum() / (y_te - y_te.mean()).square().sum()
    print(f"epoch {epoch:2d} loss {loss:.4f} usage {[round(v, 2) for v in w.mean(0).tolist()]} R2 {r2:.4f}")
