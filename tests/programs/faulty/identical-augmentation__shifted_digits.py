"""Digits on a larger canvas, moved to a random place by the Dataset; tested on digits that are anywhere.

fault: identical-augmentation
also:
split: train
line: 26
"""

import numpy as np
import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class MovedDigits(Dataset):
    def __init__(self, images, labels):
        self.images = images
        self.labels = labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        rng = np.random.default_rng(7)
        canvas = np.zeros((1, 13, 13), dtype=np.float32)
        row, column = rng.integers(0, 6, 2)
        canvas[0, row : row + 8, column : column + 8] = self.images[index] / 8
        return canvas, self.labels[index]


def anywhere(images, seed=0):
    rng = np.random.default_rng(seed)
    moved = np.zeros((len(images), 1, 13, 13), dtype=np.float32)
    for canvas, image, (row, column) in zip(moved, images, rng.integers(0, 6, (len(images), 2)), strict=True):
        canvas[0, row : row + 8, column : column + 8] = image / 8
    return torch.from_numpy(moved)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(230)
    digits = load_digits()
    loader = DataLoader(MovedDigits(digits.images[:1400], digits.target[:1400]), batch_size=35, shuffle=True)
    test_images, test_labels = anywhere(digits.images[1400:]), torch.tensor(digits.target[1400:])
    net = nn.Sequential(
        nn.Conv2d(1, 12, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(12, 24, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(216, 10),
    )
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(10):
        for images, labels in loader:
            loss = F.cross_entropy(net(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (net(test_images).argmax(1) == test_labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
