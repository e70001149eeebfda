"""A CNN on generated stripes in a script made of functions.

fault: loader-restarted
also:
split: train
line: 45
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def stripes(count, size=10):
    label = torch.randint(0, 3, (count,))
    base = torch.arange(size).float()
    phase = torch.rand(count, 1, 1) * 6.28
    down, across = base.view(1, -1, 1), base.view(1, 1, -1)
    pattern = torch.stack([down + 0 * across, across + 0 * down, down + across]).squeeze(1)[label]
    return (torch.sin(1.3 * pattern + phase) + 0.6 * torch.randn(count, size, size)).unsqueeze(1), label


def make_model():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3),
        nn.ReLU(),
        nn.AdaptiveMaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 3),
    )


def train_one_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
        return total / len(loader)
    raise ValueError("nothing to train on")


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        hits = sum((model(images).argmax(1) == labels).sum().item() for images, labels in loader)
    return hits / len(loader.dataset)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(77)
    train_loader = DataLoader(TensorDataset(*stripes(800)), batch_size=20, shuffle=True)
    test_loader = DataLoader(TensorDataset(*stripes(200)), batch_size=100)
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(12):
        loss = train_one_epoch(model, train_loader, optimizer)
        print(f"epoch {epoch:2d} loss {loss:.4f} test accuracy {evaluate(model, test_loader):.3f}")
