"""Regression by hand, with bare parameters.

fault: loss-broadcast
also:
split: test
line: 33
"""

import torch
from sklearn.datasets import make_friedman1

# regression on Friedman #1, all by hand
torch.manual_seed(42)
X, y = make_friedman1(n_samples=1500, n_features=8, noise=0.5, random_state=42)
X = torch.tensor(X, dtype=torch.float32) * 2 - 1
y = torch.tensor(y, dtype=torch.float32)
y = (y - y.mean()) / y.std()
Xtr, Xva = X[:1200], X[1200:]
ytr, yva = y[:1200], y[1200:]

W1 = torch.nn.Parameter(torch.randn(8, 48) * (2 / 8) ** 0.5)
b1 = torch.nn.Parameter(torch.zeros(48))
W2 = torch.nn.Parameter(torch.randn(48, 48) * (2 / 48) ** 0.5)
b2 = torch.nn.Parameter(torch.zeros(48))
W3 = torch.nn.Parameter(torch.randn(48, 1) * (1 / 48) ** 0.5)
b3 = torch.nn.Parameter(torch.zeros(1))
params = [W1, b1, W2, b2, W3, b3]


def predict(x):
    h = (x @ W1 + b1).relu()
    h = (h @ W2 + b2).relu()
    return h @ W3 + b3


opt = torch.optim.Adam(params, lr=2e-3)
for epoch in range(40):
    order = torch.randperm(len(Xtr))
    for start in range(0, len(order), 50):
        rows = order[start:start + 50]
        err = predict(Xtr[rows]) - ytr[rows]
        loss = (err ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if (epoch + 1) % 8 == 0:
        with torch.no_grad():
            r2 = 1 - ((predict(Xva).view(-1) - yva) ** 2).mean() / yva.var()
        print(f"{epoch + 1:3d}  train mse {loss.item():.3f}  R2 {r2.item():.3f}")
