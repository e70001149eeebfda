"""A student of a teacher, with averaged weights.

split: test
"""

import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(101)


class ConvTeacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
            nn.Conv2d(24, 32, 3, padding=1, stride=2), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(32 * 16, 10))

    def forward(self, x):
        return self.net(x.view(-1, 1, 8, 8))


class Average:
    def __init__(self, model, decay=0.98):
        self.model, self.decay = copy.deepcopy(model).eval().requires_grad_(False), decay

    @torch.no_grad()
    def update(self, live):
        for a, b in zip(self.model.parameters(), live.parameters()):
            a.lerp_(b, 1 - self.decay)


def acc(model, x, y):
    was = model.training
    model.eval()
    with torch.no_grad():
        r = (model(x).argmax(1) == y).float().mean().item()
    model.train(was)
    return r


X, Y = load_digits(return_X_y=True)
X, Y = torch.tensor(X, dtype=torch.float32), torch.tensor(Y)
p = torch.randperm(len(Y))
X, Y = (X[p] - X[p[:1300]].mean()) / X[p[:1300]].std(), Y[p]
xtr, ytr, xte, yte = X[:1300], Y[:1300], X[1300:], Y[1300:]

teacher = ConvTeacher()
opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
for epoch in range(6):
    for ix in torch.randperm(1300).split(50):
        loss = F.cross_entropy(teacher(xtr[ix]), ytr[ix])
        opt.zero_grad()
        loss.backward()
        opt.step()
print(f"teacher accuracy {acc(teacher, xte, yte):.4f}")
teacher.eval()

student = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
ema = Average(student)
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
T, mix = 3.0, 0.7
for epoch in range(16):
    total = 0.0
    for ix in torch.randperm(1300).split(50):
        x = xtr[ix] + 0.1 * torch.randn(len(ix), 64)
        with torch.no_grad():
            soft = F.log_softmax(teacher(x) / T, dim=1)
        out = student(x)
        kd = F.kl_div(F.log_softmax(out / T, dim=1), soft, reduction="batchmean", log_target=True) * T * T
        loss = mix * kd + (1 - mix) * F.cross_entropy(out, ytr[ix])
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.update(student)
        total += loss.item() * len(ix)
    if epoch % 3 == 0:
        print(f"epoch {epoch:2d} loss {total / 1300:.4f} student {acc(student, xte, yte):.4f} averaged {acc(ema.model, xte, yte):.4f}")
print(f"final averaged student {acc(ema.model, xte, yte):.4f}")
