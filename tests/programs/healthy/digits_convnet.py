"""A convolutional network on digits.

split: train
"""

import argparse

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn, optim
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 16, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.Conv2d(16, 32, kernel_size=3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Flatten(),
        )
        self.fc = nn.Sequential(nn.Linear(32 * 16, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.fc(self.body(x))


def load_data(batch_size):
    """Images are stored class by class, like an image-folder on disk."""
    images, target = load_digits(return_X_y=True)
    images = (images / 16.0).astype(np.float32).reshape(-1, 1, 8, 8)
    train_idx, test_idx = [], []
    for c in range(10):
        members = np.flatnonzero(target == c)
        train_idx.append(members[:140])
        test_idx.append(members[140:])
    train_idx = np.concatenate(train_idx)
    test_idx = np.concatenate(test_idx)
    train_ds = TensorDataset(torch.from_numpy(images[train_idx]), torch.from_numpy(target[train_idx]))
    test_ds = TensorDataset(torch.from_numpy(images[test_idx]), torch.from_numpy(target[test_idx]))
    train_loader = DataLoader(train_ds, batch_size=batch_size, shuffle=True)
    test_loader = DataLoader(test_ds, batch_size=256)
    return train_loader, test_loader


def train_one_epoch(model, loader, optimizer, criterion):
    model.train()
    running_loss = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        outputs = model(images)
        loss = criterion(outputs, labels)
        loss.backward()
        optimizer.step()
        running_loss += loss.item()
    return running_loss / len(loader)


def test(model, loader):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for images, labels in loader:
            predicted = model(images).argmax(dim=1)
            correct += (predicted == labels).sum().item()
            total += labels.size(0)
    return 100.0 * correct / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=20)
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--momentum", type=float, default=0.9)
    args = parser.parse_args()

    torch.manual_seed(123)
    train_loader, test_loader = load_data(args.batch_size)
    model = ConvNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=args.lr, momentum=args.momentum)

    for epoch in range(args.epochs):
        loss = train_one_epoch(model, train_loader, optimizer, criterion)
        print(f"Epoch [{epoch + 1}/{args.epochs}] loss: {loss:.4f} test acc: {test(model, test_loader):.2f}%")

    print(f"Final accuracy: {test(model, test_loader):.2f}%")


if __name__ == "__main__":
    main()
