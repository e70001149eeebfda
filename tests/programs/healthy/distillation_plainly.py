"""Knowledge distillation: a wide teacher CNN teaches a small MLP on digits.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(8)
d = load_digits()
X = torch.tensor(d.data, dtype=torch.float32) / 16
Y = torch.tensor(d.target)
tr, te = train_test_split(torch.arange(len(X)), test_size=0.3, stratify=Y, random_state=8)
m, s = X[tr].mean(), X[tr].std()
X = (X - m) / s

teacher = nn.Sequential(nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
                        nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(),
                        nn.MaxPool2d(2), nn.Flatten(), nn.Dropout(0.3), nn.Linear(256, 10))
student = nn.Sequential(nn.Linear(64, 24), nn.ReLU(), nn.Linear(24, 10))


def batches(idx, size=64):
    yield from idx[torch.randperm(len(idx))].split(size)


@torch.no_grad()
def test_acc(net):
    net.eval()
    return (net(X[te]).argmax(1) == Y[te]).float().mean().item()


def train_teacher(epochs=15):
    opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
    sch = torch.optim.lr_scheduler.ExponentialLR(opt, 0.85)
    for e in range(epochs):
        teacher.train()
        for b in batches(tr):
            opt.zero_grad()
            loss = F.cross_entropy(teacher(X[b]), Y[b], label_smoothing=0.05)
            loss.backward()
            opt.step()
        sch.step()
    print(f"teacher: last loss {loss.item():.4f} test acc {test_acc(teacher):.4f}")


def distill(epochs=60, T=3.0, alpha=0.7):
    teacher.eval()
    teacher.requires_grad_(False)
    opt = torch.optim.AdamW(student.parameters(), lr=5e-3, weight_decay=1e-2)
    sch = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    for e in range(epochs):
        student.train()
        tot = 0.0
        for b in batches(tr):
            with torch.no_grad():
                soft = F.softmax(teacher(X[b]) / T, dim=1)
            out = student(X[b])
            kd = F.kl_div(F.log_softmax(out / T, dim=1), soft, reduction="batchmean") * T * T
            loss = alpha * kd + (1 - alpha) * F.cross_entropy(out, Y[b])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(b)
        sch.step()
        if e % 10 == 9:
            print(f"student epoch {e + 1} loss {tot / len(tr):.4f} test acc {test_acc(student):.4f}")


train_teacher()
distill()
