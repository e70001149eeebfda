"""Distil a wide network into a narrow one on soft targets only (the student sees no labels).

split: train
"""
import io
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
x = torch.tensor(d.data, dtype=torch.float32) / 8 - 0.6
y = torch.tensor(d.target)
perm = torch.randperm(len(x))
x, y = x[perm], y[perm]
lx, ly, ux, tx, ty = x[:500], y[:500], x[500:1400], x[1400:], y[1400:]


def mlp(h):
    return nn.Sequential(nn.Linear(64, h), nn.ReLU(), nn.Linear(h, 10))


def accuracy(m):
    m.eval()
    with torch.no_grad():
        return (m(tx).argmax(1) == ty).float().mean().item()


class Wrapped(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.module = inner

    def forward(self, x):
        return self.module(x)


def pretrain():
    big = Wrapped(mlp(128))
    opt = torch.optim.Adam(big.parameters(), lr=3e-3)
    for _ in range(12):
        for i in torch.randperm(500).split(50):
            opt.zero_grad()
            F.cross_entropy(big(lx[i]), ly[i]).backward()
            opt.step()
    print("teacher", accuracy(big))
    buf = io.BytesIO()
    torch.save(big.state_dict(), buf)
    buf.seek(0)
    return buf


checkpoint = pretrain()
state = {k.removeprefix("module."): v for k, v in torch.load(checkpoint).items()}
teacher = mlp(128)
teacher.load_state_dict(state, strict=False)
teacher.eval().requires_grad_(False)

student = mlp(24)
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
T = 2.0
for epoch in range(20):
    student.train()
    for i in torch.randperm(len(ux)).split(50):
        with torch.no_grad():
            soft = F.softmax(teacher(ux[i]) / T, 1)
        loss = F.kl_div(F.log_softmax(student(ux[i]) / T, 1), soft, reduction="batchmean") * T * T
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 4 == 3:
        print(epoch, loss.item(), accuracy(student))
print("SCORE", accuracy(student))
