"""Distils a wide digits teacher into a narrow student with soft targets.

split: test
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(44)
torch.set_num_threads(1)
X, y = load_digits(return_X_y=True)
Xa, Xb, ya, yb = train_test_split(torch.tensor(X).float() / 16, torch.tensor(y), test_size=0.3, random_state=4)


def net(w):
    return nn.Sequential(nn.Linear(64, w), nn.ReLU(), nn.Linear(w, 10))


def acc(m):
    m.eval()
    with torch.no_grad():
        return (m(Xb).argmax(1) == yb).float().mean().item()


teacher, student = net(256), net(20)
opt = torch.optim.Adam(teacher.parameters(), 2e-3)
for ep in range(12):
    for i in torch.randperm(len(Xa)).split(64):
        opt.zero_grad()
        F.cross_entropy(teacher(Xa[i]), ya[i]).backward()
        opt.step()
print(f"teacher accuracy {acc(teacher):.4f}")
teacher.requires_grad_(False)

T, alpha = 3.0, 0.7
opt = torch.optim.Adam(student.parameters(), 5e-3)
for ep in range(20):
    student.train()
    for i in torch.randperm(len(Xa)).split(64):
        with torch.no_grad():
            soft = F.log_softmax(teacher(Xa[i]) / T, 1)
        out = student(Xa[i])
        kd = F.kl_div(F.log_softmax(out / T, 1), soft, reduction="batchmean", log_target=True) * T * T
        loss = alpha * kd + (1 - alpha) * F.cross_entropy(out, ya[i])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 5 == 4:
        print(f"epoch {ep + 1} loss {loss.item():.4f} student accuracy {acc(student):.4f}")
