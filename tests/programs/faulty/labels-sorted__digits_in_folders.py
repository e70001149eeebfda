"""Handwritten digits that are read folder by folder, one folder for each digit, into a DataLoader.

fault: labels-sorted
also: single-label-batches
split: train
line: 35
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def read_folders():
    digits = load_digits()
    folders = {digit: digits.images[digits.target == digit] / 8 - 1 for digit in range(10)}
    train, test = [], []
    for digit, images in folders.items():
        train += [(image, digit) for image in images[:140]]
        test += [(image, digit) for image in images[140:]]
    return as_dataset(train), as_dataset(test)


def as_dataset(pairs):
    images = torch.tensor(np.stack([image for image, _ in pairs]), dtype=torch.float32).unsqueeze(1)
    return TensorDataset(images, torch.tensor([digit for _, digit in pairs]))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(215)
    train, test = read_folders()
    loader = DataLoader(train, batch_size=32)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10)
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        for images, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            images, labels = test[:]
            accuracy = (model(images).argmax(1) == labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
