"""Digits by three layers, with the update in a function of its own.

fault: gradients-zeroed-before-step
also:
split: train
line: 29
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

torch.manual_seed(3)
X, y = load_digits(return_X_y=True)
X = (X / 16.0 - 0.3).astype(np.float32)
Xtr, Xte, ytr, yte = train_test_split(X, y, test_size=0.25, random_state=3, stratify=y)
Xtr, Xte = torch.from_numpy(Xtr), torch.from_numpy(Xte)
ytr, yte = torch.from_numpy(ytr), torch.from_numpy(yte)

net = nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.Linear(96, 48), nn.GELU(), nn.Linear(48, 10))
optim = torch.optim.SGD(net.parameters(), lr=0.08, momentum=0.9, nesterov=True)
criterion = nn.CrossEntropyLoss()


def update(loss):
    loss.backward()
    optim.zero_grad()
    optim.step()


def accuracy(inputs, labels):
    net.eval()
    with torch.no_grad():
        hit = (net(inputs).argmax(1) == labels).float().mean().item()
    net.train()
    return hit


for epoch in range(14):
    order = torch.randperm(len(Xtr))
    running = 0.0
    for chunk in order.split(32):
        loss = criterion(net(Xtr[chunk]), ytr[chunk])
        update(loss)
        running += loss.item() * len(chunk)
    if epoch % 3 == 2:
        print(f"[{epoch + 1:02d}] loss {running / len(Xtr):.4f}  test acc {accuracy(Xte, yte):.3f}")

print("final accuracy", round(accuracy(Xte, yte), 4))
