"""Two circles, few labels, and a teacher that is an average of the student.

split: train
"""

import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_circles

torch.manual_seed(8)
x, y = make_circles(1200, noise=0.08, factor=0.5, random_state=8)
x, y = torch.tensor(x, dtype=torch.float32) * 1.4, torch.tensor(y)
few = torch.cat([torch.where(y[:600] == c)[0][:12] for c in (0, 1)])
student = nn.Sequential(nn.Linear(2, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
for step in range(500):
    u = x[torch.randint(0, 600, (64,))]
    xb = x[few] + 0.05 * torch.randn(24, 2)
    out = student(torch.cat([xb, u + 0.1 * torch.randn_like(u)]))
    with torch.no_grad():
        aim = teacher(u + 0.1 * torch.randn_like(u)).softmax(1)
    weight = 3.0 * min(1.0, step / 200)
    loss = F.cross_entropy(out[:24], y[few]) + weight * F.mse_loss(out[24:].softmax(1), aim)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        for a, b in zip(teacher.parameters(), student.parameters()):
            a.lerp_(b, 0.02)
    if step % 100 == 99:
        teacher.eval()
        with torch.no_grad():
            print(step + 1, loss.item(), "teacher", (teacher(x[600:]).argmax(1) == y[600:]).float().mean().item())
        teacher.train()
