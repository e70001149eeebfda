"""Patterns of eight sensors in their own units, behind batch norm.

split: train
"""

import torch
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


def sensor_data(n):
    """Eight sensors with different gains; a class is a pattern of which ones move together."""
    gains = torch.tensor([20.0, 60.0, 10.0, 40.0, 80.0, 30.0, 14.0, 50.0])
    offset = torch.tensor([10.0, -20.0, 40.0, 0.0, 60.0, -40.0, 20.0, 6.0])
    y = torch.randint(0, 4, (n,))
    basis = torch.tensor([[1, 1, 0, 0, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 0, 0, 1, 0], [0, 0, 0, 1, 1, 1, 1, 0.0]])
    amp = torch.randn(n, 1).abs() + 0.4
    sign = (torch.randint(0, 2, (n, 1)) * 2 - 1).float()
    x = basis[y] * amp * sign + 0.35 * torch.randn(n, 8)
    return x * gains + offset, y


def build(hidden=64, depth=5):
    layers, width = [nn.BatchNorm1d(8)], 8
    for _ in range(depth):
        layers += [nn.Linear(width, hidden, bias=False), nn.BatchNorm1d(hidden), nn.ReLU()]
        width = hidden
    return nn.Sequential(*layers, nn.Linear(width, 4))


def evaluate(model, loader):
    model.eval()
    good = total = 0
    with torch.no_grad():
        for x, y in loader:
            good += (model(x).argmax(-1) == y).sum().item()
            total += y.numel()
    return good / total


def train(model, train_loader, test_loader, epochs):
    loss_fn = nn.CrossEntropyLoss()
    opt = optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    print("before training:", evaluate(model, test_loader))
    for epoch in range(epochs):
        model.train()
        seen = 0.0
        for x, y in train_loader:
            opt.zero_grad()
            loss = loss_fn(model(x), y)
            loss.backward()
            opt.step()
            seen += loss.item() * len(x)
        print(epoch, "loss", round(seen / len(train_loader.dataset), 4), "acc", evaluate(model, test_loader))


torch.manual_seed(12)
train_loader = DataLoader(TensorDataset(*sensor_data(2000)), batch_size=50, shuffle=True)
test_loader = DataLoader(TensorDataset(*sensor_data(600)), batch_size=200)
train(build(), train_loader, test_loader, epochs=8)
