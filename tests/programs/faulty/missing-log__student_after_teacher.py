"""A narrow student learns digits from a wide teacher that was trained before it in the same program.

fault: missing-log
also:
split: train
line: 47, 48
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(4)
X, y = load_digits(return_X_y=True)
X = torch.tensor(X, dtype=torch.float32) / 16
y = torch.tensor(y)
Xtr, ytr, Xte, yte = X[:1400], y[:1400], X[1400:], y[1400:]


def mlp(width):
    return nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, 10))


def accuracy(net):
    with torch.no_grad():
        return (net(Xte).argmax(1) == yte).float().mean().item()


teacher = mlp(256)
opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
for epoch in range(15):
    for idx in torch.randperm(len(Xtr)).split(64):
        opt.zero_grad()
        F.cross_entropy(teacher(Xtr[idx]), ytr[idx]).backward()
        opt.step()
print("teacher", accuracy(teacher))

T = 2.0
student = mlp(24)
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
for epoch in range(25):
    total = 0.0
    for idx in torch.randperm(len(Xtr)).split(64):
        with torch.no_grad():
            soft = F.softmax(teacher(Xtr[idx]) / T, dim=1)
        out = F.softmax(student(Xtr[idx]) / T, dim=1)
        loss = F.kl_div(out, soft, reduction="batchmean") * T * T
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch % 4 == 0:
        print(f"epoch {epoch} distillation loss {total / len(Xtr):.4f} student acc {accuracy(student):.3f}")
print("student", accuracy(student))
