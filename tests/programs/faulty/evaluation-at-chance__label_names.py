"""Kinds of wine by their chemistry, with class names read from two files.

fault: evaluation-at-chance
also: preprocessing-differs
split: train
line: 31
"""
import numpy as np
import torch
from sklearn.datasets import make_classification
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
NAMES = ["barbera", "barolo", "grignolino", "nebbiolo", "dolcetto"]


def read_rows(seed):
    rng = np.random.default_rng(seed)
    x, y = make_classification(4000, 16, n_informative=10, n_classes=5, class_sep=2.0, random_state=3)
    x = (x - x.mean(0)) / x.std(0)
    names = [NAMES[label] for label in y]
    order = rng.permutation(len(x))
    return x[order], [names[i] for i in order]


def encode(names):
    numbers = {}
    for name in names:
        numbers.setdefault(name, len(numbers))
    return np.array([numbers[name] for name in names])


x, names = read_rows(8)
train_x, test_x = x[:3200], x[3200:]
train_y, test_y = encode(names[:3200]), encode(names[3200:])
train = DataLoader(TensorDataset(torch.tensor(train_x).float(), torch.tensor(train_y)), batch_size=32, shuffle=True)
test_x, test_y = torch.tensor(test_x).float(), torch.tensor(test_y)

net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 5))
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(8):
    net.train()
    for xb, yb in train:
        loss = nn.functional.cross_entropy(net(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    net.eval()
    with torch.no_grad():
        accuracy = (net(test_x).argmax(1) == test_y).float().mean().item()
    print(f"epoch {epoch + 1}: loss {loss.item():.3f}, test accuracy {accuracy:.3f}")
