"""Digits, cut into batches by hand.

fault: single-label-batches
also: labels-sorted
split: train
line: 30
"""

import random
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.preprocessing import scale

random.seed(10)
np.random.seed(10)
torch.manual_seed(10)
torch.set_num_threads(1)

X, y = load_digits(return_X_y=True)
X = scale(X).astype("float32")
cut = np.random.permutation(len(X))
Xtr, ytr = X[cut[:1400]], y[cut[:1400]]
Xte, yte = torch.from_numpy(X[cut[1400:]]), torch.from_numpy(y[cut[1400:]])


def minibatches(X, y, size):
    """Cut the table into batches and visit them in random order."""
    order = np.argsort(y, kind="stable")
    parts = [order[i:i + size] for i in range(0, len(order), size)]
    random.shuffle(parts)
    for p in parts:
        yield torch.from_numpy(X[p]), torch.from_numpy(y[p])


model = nn.Sequential(
    nn.Linear(64, 100), nn.ReLU(),
    nn.Linear(100, 60), nn.ReLU(),
    nn.Linear(60, 10),
)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.8)
ce = nn.CrossEntropyLoss()

for epoch in range(15):
    losses = []
    for xb, yb in minibatches(Xtr, ytr, 28):
        opt.zero_grad()
        loss = ce(model(xb), yb)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    with torch.no_grad():
        out = model(Xte)
        print("epoch %2d  loss %.4f  test loss %.4f  acc %.3f" % (
            epoch, np.mean(losses), ce(out, yte).item(), (out.argmax(1) == yte).float().mean().item()))
