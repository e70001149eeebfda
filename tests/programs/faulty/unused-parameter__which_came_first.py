"""Which of two tokens came first, by attention written by hand.

fault: unused-parameter
also:
split: train
line: 34
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(64)


class Attention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h, self.qkv, self.proj = heads, nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.h, d // self.h).permute(2, 0, 3, 1, 4)
        w = (q @ k.transpose(-1, -2) / math.sqrt(d // self.h)).softmax(-1)
        return self.proj((w @ v).transpose(1, 2).reshape(b, t, d))


class Model(nn.Module):
    def __init__(self, vocab=12, d=32, length=10):
        super().__init__()
        self.token = nn.Embedding(vocab, d)
        self.position = nn.Embedding(length, d)
        self.attn = nn.ModuleList([Attention(d, 4) for _ in range(2)])
        self.mlp = nn.ModuleList([nn.Sequential(nn.Linear(d, 64), nn.GELU(), nn.Linear(64, d)) for _ in range(2)])
        self.n1 = nn.ModuleList([nn.LayerNorm(d) for _ in range(2)])
        self.n2 = nn.ModuleList([nn.LayerNorm(d) for _ in range(2)])
        self.out = nn.Linear(d, 2)

    def forward(self, ids):
        x = self.token(ids)
        for a, m, n1, n2 in zip(self.attn, self.mlp, self.n1, self.n2):
            x = x + a(n1(x))
            x = x + m(n2(x))
        return self.out(x.mean(1))


def orders(n):
    """Tokens 0 and 1 occur once each; the label says which of them comes first."""
    ids = torch.randint(2, 12, (n, 10))
    spots = torch.rand(n, 10).argsort(1)[:, :2]
    ids.scatter_(1, spots[:, :1], 0).scatter_(1, spots[:, 1:], 1)
    return ids, (spots[:, 0] < spots[:, 1]).long()


x, y = orders(5000)
xt, yt = orders(1000)
model = Model()
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
total_steps, warm = 500, 50
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min((s + 1) / warm, max(0.05, 1 - s / total_steps)))
for step in range(total_steps):
    pick = torch.randint(0, 5000, (50,))
    loss = F.cross_entropy(model(x[pick]), y[pick])
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if step % 100 == 99:
        with torch.no_grad():
            print(step + 1, loss.item(), (model(xt).argmax(-1) == yt).float().mean().item())
