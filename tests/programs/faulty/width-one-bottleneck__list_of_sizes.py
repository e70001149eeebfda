"""Digits by a network that is built from a list of sizes.

fault: width-one-bottleneck
also:
split: train
line: 46
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


def mlp(sizes):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ELU())
    return nn.Sequential(*layers[:-1])


def loop(model, loader, loss_fn, optimizer=None):
    model.train(optimizer is not None)
    total, correct, count = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            out = model(x)
            loss = loss_fn(out, y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            total += loss.item() * len(y)
            correct += (out.argmax(1) == y).sum().item()
            count += len(y)
    return total / count, correct / count


if __name__ == "__main__":
    torch.manual_seed(61)
    x, y = load_digits(return_X_y=True)
    full = TensorDataset(torch.tensor(x, dtype=torch.float32) / 8 - 1, torch.tensor(y))
    a, b = random_split(full, [1400, 397])
    train_dl, test_dl = DataLoader(a, 28, shuffle=True), DataLoader(b, 100)
    model = mlp([64, 64, 1, 10])
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        tr = loop(model, train_dl, nn.CrossEntropyLoss(), opt)
        te = loop(model, test_dl, nn.CrossEntropyLoss())
        print("epoch %2d  train %.3f / %.3f   test %.3f / %.3f" % (epoch, *tr, *te))
