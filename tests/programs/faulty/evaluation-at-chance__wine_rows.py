"""Cultivars of wine with noise added to make more of them, split by hand, a network of two layers.

fault: evaluation-at-chance
also: labels-independent-of-inputs
split: test
line: 23
"""

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_wine

torch.set_num_threads(1)
torch.manual_seed(9)
rng = np.random.RandomState(9)

X, y = load_wine(return_X_y=True)
X = np.repeat((X - X.mean(0)) / X.std(0), 8, axis=0) + 0.6 * rng.randn(len(X) * 8, 13)
y = np.repeat(y, 8)
shuffled = rng.permutation(len(X))
train, valid = shuffled[:1000], shuffled[1000:]
x_train, y_train, x_valid, y_valid = X[train], y[train], X[valid], y[np.sort(valid)]
x_train, x_valid = (torch.tensor(part, dtype=torch.float32) for part in (x_train, x_valid))
y_train, y_valid = torch.tensor(y_train), torch.tensor(y_valid)

w1 = (torch.randn(13, 32) * 0.25).requires_grad_()
b1 = torch.zeros(32, requires_grad=True)
w2 = (torch.randn(32, 3) * 0.2).requires_grad_()
b2 = torch.zeros(3, requires_grad=True)
weights = [w1, b1, w2, b2]
optimizer = torch.optim.SGD(weights, lr=0.1, momentum=0.9)


def predict(x):
    return torch.tanh(x @ w1 + b1) @ w2 + b2


for epoch in range(10):
    for rows in torch.randperm(len(x_train)).split(25):
        loss = F.cross_entropy(predict(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        hits = [(predict(x).argmax(1) == y).float().mean().item() for x, y in ((x_train, y_train), (x_valid, y_valid))]
    print(f"epoch {epoch} loss {loss.item():.4f} train {hits[0]:.3f} validation {hits[1]:.3f}")
