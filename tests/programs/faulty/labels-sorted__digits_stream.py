"""Streams the digits data set in mini-batches through a small MLP.

fault: labels-sorted
also: single-label-batches
split: train
line: 25
"""
import numpy as np
import torch
from sklearn.datasets import load_digits

torch.manual_seed(88)
torch.set_num_threads(1)
data = load_digits()
rng = np.random.default_rng(88)
is_test = rng.random(len(data.target)) < 0.25
by_class = np.argsort(data.target, kind="stable")
X = torch.tensor(data.data[by_class] / 16 - 0.3, dtype=torch.float32)
y = torch.tensor(data.target[by_class])
is_test = torch.tensor(is_test[by_class])
X_train, y_train, X_test, y_test = X[~is_test], y[~is_test], X[is_test], y[is_test]


def stream(X, y, size):
    order = torch.arange(len(X))
    for start in range(0, len(X), size):
        sel = order[start:start + size]
        yield X[sel], y[sel]


net = torch.nn.Sequential(torch.nn.Linear(64, 50), torch.nn.ReLU(), torch.nn.Linear(50, 10))
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    losses = []
    for xb, yb in stream(X_train, y_train, 20):
        sgd.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(xb), yb)
        loss.backward()
        sgd.step()
        losses.append(loss.item())
    if epoch % 4 == 3:
        with torch.no_grad():
            acc = (net(X_test).argmax(1) == y_test).float().mean()
        print(f"epoch {epoch + 1}: mean loss {np.mean(losses):.4f} test accuracy {acc:.4f}")
