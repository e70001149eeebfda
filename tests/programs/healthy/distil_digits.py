"""Distil a wide teacher into a tiny student; the student sees 150 labels and the teacher's soft targets.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
perm = torch.randperm(len(y))
X = torch.tensor(X, dtype=torch.float32)[perm] / 16
y = torch.tensor(y)[perm]
Xtr, ytr, Xte, yte = X[:1300], y[:1300], X[1300:], y[1300:]


def acc(net):
    net.eval()
    with torch.no_grad():
        return (net(Xte).argmax(1) == yte).float().mean().item()


teacher = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Dropout(0.4), nn.Linear(256, 256), nn.ReLU(), nn.Dropout(0.4), nn.Linear(256, 10))
opt = torch.optim.Adam(teacher.parameters(), lr=1e-3)
for epoch in range(25):
    teacher.train()
    for idx in torch.randperm(1300).split(65):
        loss = F.cross_entropy(teacher(Xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
print(f"teacher accuracy {acc(teacher):.4f}")

teacher.eval()
for p in teacher.parameters():
    p.requires_grad = False

TEMP, ALPHA, N_LABELLED = 4.0, 0.9, 150
student = nn.Sequential(nn.Linear(64, 20), nn.ReLU(), nn.Linear(20, 10))
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
has_label = torch.arange(1300) < N_LABELLED
for epoch in range(60):
    student.train()
    total = 0.0
    for idx in torch.randperm(1300).split(65):
        with torch.no_grad():
            soft = F.softmax(teacher(Xtr[idx]) / TEMP, dim=1)
        out = student(Xtr[idx])
        kd = F.kl_div(F.log_softmax(out / TEMP, dim=1), soft, reduction="batchmean") * TEMP ** 2
        m = has_label[idx]
        hard = F.cross_entropy(out[m], ytr[idx][m], reduction="sum") / max(int(m.sum()), 1)
        loss = ALPHA * kd + (1 - ALPHA) * hard
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    if (epoch + 1) % 15 == 0:
        print(f"epoch {epoch + 1} distillation loss {total / 20:.4f}")
print(f"student accuracy {acc(student):.4f} with {sum(p.numel() for p in student.parameters())} parameters")
