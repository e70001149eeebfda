"""Semi-supervised moons with an exponential-moving-average teacher.

split: train
"""
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_moons

torch.manual_seed(22)
torch.set_num_threads(1)
X, y = make_moons(1200, noise=0.12, random_state=22)
X, y = torch.tensor(X, dtype=torch.float32), torch.tensor(y)
X = (X - X.mean(0)) / X.std(0)
lab, unl, test = torch.arange(24), torch.arange(24, 800), torch.arange(800, 1200)

student = nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 2))
teacher = copy.deepcopy(student)
for p in teacher.parameters():
    p.requires_grad_(False)


@torch.no_grad()
def ema(decay):
    for t, s in zip(teacher.parameters(), student.parameters()):
        t.mul_(decay).add_(s, alpha=1 - decay)


opt = torch.optim.Adam(student.parameters(), lr=2e-3)
for it in range(1200):
    u = unl[torch.randint(0, len(unl), (128,))]
    sup = F.cross_entropy(student(X[lab]), y[lab])
    with torch.no_grad():
        soft = F.softmax(teacher(X[u] + 0.1 * torch.randn(128, 2)) / 0.5, 1)
    cons = F.mse_loss(F.softmax(student(X[u] + 0.1 * torch.randn(128, 2)), 1), soft)
    ramp = min(1.0, it / 400) * 4.0
    loss = sup + ramp * cons
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema(min(0.99, 1 - 1 / (it + 1)))
    if it % 300 == 299:
        acc = (teacher(X[test]).argmax(1) == y[test]).float().mean()
        print(f"{it + 1}: supervised {sup.item():.4f} consistency {cons.item():.4f} teacher accuracy {acc:.4f}")
