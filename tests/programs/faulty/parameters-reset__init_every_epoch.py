"""A digit classifier with its own weight initialisation.

fault: parameters-reset
also:
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def init_weights(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)
        nn.init.zeros_(module.bias)


def train_epoch(model, loader, optimizer, criterion):
    model.apply(init_weights)
    model.train()
    total = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(65)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
    y = torch.tensor(digits.target)
    loader = DataLoader(TensorDataset(x[:1500], y[:1500]), batch_size=64, shuffle=True)
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(12):
        loss = train_epoch(model, loader, optimizer, criterion)
        model.eval()
        with torch.no_grad():
            accuracy = (model(x[1500:]).argmax(1) == y[1500:]).float().mean().item()
        print(f"epoch {epoch:2d}: loss {loss:.4f} test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
