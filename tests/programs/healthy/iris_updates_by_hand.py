"""Softmax regression with the update written out.

split: train
"""

import torch
from sklearn.datasets import load_iris

torch.manual_seed(0)
X, y = load_iris(return_X_y=True)
X = torch.tensor((X - X.mean(0)) / X.std(0), dtype=torch.float32)
y = torch.tensor(y)
p = torch.randperm(150)
X, y = X[p], y[p]
w = torch.zeros(4, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
for epoch in range(150):
    loss = -torch.log_softmax(X[:110] @ w + b, 1)[range(110), y[:110]].mean()
    loss.backward()
    with torch.no_grad():
        for t in (w, b):
            t -= 0.5 * t.grad
            t.grad.zero_()
    if epoch % 30 == 0:
        print(epoch, loss.item())
print("SCORE", ((X[110:] @ w + b).argmax(1) == y[110:]).float().mean().item())
