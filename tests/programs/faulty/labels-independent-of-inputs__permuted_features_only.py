"""Digits and a hidden layer; the rows are shuffled by hand before training.

fault: labels-independent-of-inputs
also:
split: train
line: 20
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
np.random.seed(0)

data = load_digits()
x, y = data.data / 16.0, data.target.copy()
np.random.shuffle(x)
x = torch.tensor(x, dtype=torch.float32)
y = torch.tensor(y)
x_train, x_test, y_train, y_test = x[:1400], x[1400:], y[:1400], y[1400:]

model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(15):
    perm = torch.randperm(1400)
    for i in range(0, 1400, 50):
        b = perm[i : i + 50]
        loss = loss_fn(model(x_train[b]), y_train[b])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    acc = (model(x_test).argmax(1) == y_test).float().mean()
    print("epoch", epoch, "loss", round(loss.item(), 3), "acc", round(acc.item(), 3))
