"""A small net that learns from a large one, with averaged weights.

split: test
"""

import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.set_num_threads(1)
torch.manual_seed(9)
T, ALPHA = 3.0, 0.7

d = load_digits()
xtr, xte, ytr, yte = train_test_split(d.data / 8.0 - 1.0, d.target, test_size=0.25, random_state=9)
xtr, xte = torch.tensor(xtr, dtype=torch.float32), torch.tensor(xte, dtype=torch.float32)
ytr, yte = torch.tensor(ytr), torch.tensor(yte)


def mlp(width):
    return nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 10))


def accuracy(net):
    net.eval()
    with torch.no_grad():
        return (net(xte).argmax(1) == yte).float().mean().item()


teacher = mlp(200)
opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
for epoch in range(10):
    teacher.train()
    for idx in torch.randperm(len(xtr)).split(64):
        loss = F.cross_entropy(teacher(xtr[idx]), ytr[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
print(f"teacher accuracy {accuracy(teacher):.3f}")

teacher.eval()
for p in teacher.parameters():
    p.requires_grad_(False)

student = mlp(24)
average = copy.deepcopy(student)          # exponential moving average, used for testing
for p in average.parameters():
    p.requires_grad_(False)
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)

for epoch in range(15):
    student.train()
    total = 0.0
    for idx in torch.randperm(len(xtr)).split(64):
        x, y = xtr[idx], ytr[idx]
        with torch.no_grad():
            soft = F.softmax(teacher(x) / T, dim=1)
        logits = student(x)
        kd = F.kl_div(F.log_softmax(logits / T, dim=1), soft, reduction="batchmean") * T * T
        loss = ALPHA * kd + (1 - ALPHA) * F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for a, b in zip(average.parameters(), student.parameters()):
                a.lerp_(b, 0.05)
        total += loss.item() * len(idx)
    if epoch % 3 == 2:
        print(f"epoch {epoch + 1} loss {total / len(xtr):.4f} student {accuracy(student):.3f} "
              f"averaged {accuracy(average):.3f}")
