"""Adversarial training: gradients by the input first, then weights on the perturbed images.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
X, y = load_digits(return_X_y=True)
X, y = torch.tensor(X / 16, dtype=torch.float32), torch.tensor(y)
net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)


def pgd(x, t, eps=0.1, k=4):
    delta = torch.zeros_like(x).uniform_(-eps, eps).requires_grad_(True)
    for _ in range(k):
        F.cross_entropy(net(x + delta), t).backward()
        with torch.no_grad():
            delta.add_(0.04 * delta.grad.sign()).clamp_(-eps, eps)
        delta.grad.zero_()
    return delta.detach()


for ep in range(8):
    for b in torch.randperm(1400).split(50):
        adv = X[b] + pgd(X[b], y[b])
        opt.zero_grad()
        loss = F.cross_entropy(net(adv), y[b])
        loss.backward()
        opt.step()
    d = pgd(X[1400:], y[1400:])
    with torch.no_grad():
        clean = (net(X[1400:]).argmax(1) == y[1400:]).float().mean().item()
        rob = (net(X[1400:] + d).argmax(1) == y[1400:]).float().mean().item()
    print(ep, loss.item(), "clean", clean, "robust", rob)
