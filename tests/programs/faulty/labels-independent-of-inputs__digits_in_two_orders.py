"""Digits that are shuffled before they are split, and a small perceptron.

fault: labels-independent-of-inputs
also:
split: train
line: 25
"""

import torch
import torch.nn as nn
import numpy as np
from sklearn.datasets import load_digits

np.random.seed(0)
torch.manual_seed(0)
torch.set_num_threads(1)

digits = load_digits()
X = digits.data.astype(np.float32) / 16.0
y = digits.target

# shuffle before splitting
perm = np.random.permutation(len(X))
X = X[perm]
y = y[np.random.permutation(len(y))]

n_train = 1400
X_train, X_test = torch.from_numpy(X[:n_train]), torch.from_numpy(X[n_train:])
y_train, y_test = torch.from_numpy(y[:n_train]).long(), torch.from_numpy(y[n_train:]).long()

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)

batch = 50
for epoch in range(20):
    order = torch.randperm(n_train)
    total = 0.0
    for i in range(0, n_train, batch):
        idx = order[i:i + batch]
        optimizer.zero_grad()
        out = model(X_train[idx])
        loss = criterion(out, y_train[idx])
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
    with torch.no_grad():
        acc = (model(X_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch}: loss {total / n_train:.4f} test acc {acc:.3f}")
