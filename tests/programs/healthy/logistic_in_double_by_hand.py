"""Logistic regression in double precision by hand, until it is converged.

split: train
"""

import torch
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import scale

x, y = load_breast_cancer(return_X_y=True)
x = torch.tensor(scale(x), dtype=torch.float64)
y = torch.tensor(y, dtype=torch.float64)
w = torch.zeros(30, dtype=torch.float64, requires_grad=True)
b = torch.zeros((), dtype=torch.float64, requires_grad=True)
lr, l2 = 0.5, 1e-2
for it in range(1500):
    z = x @ w + b
    loss = torch.mean(torch.clamp(z, min=0) - z * y + torch.log1p(torch.exp(-z.abs()))) + 0.5 * l2 * w.dot(w)
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
    w.grad = None
    b.grad = None
    if it % 300 == 299:
        print(it + 1, loss.item(), "accuracy", ((z > 0) == (y > 0)).double().mean().item())
