"""Ponds and roads in small colour maps, a class for each pixel, with random flips and brightness.

fault: destroying-augmentation
also:
split: train
line: 36
"""

import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

SIZE = 20


def draw(rng):
    ground = rng.uniform(0.3, 0.5, 3)
    picture = np.ones((SIZE, SIZE, 3)) * ground
    classes = np.zeros((SIZE, SIZE), np.int64)
    yy, xx = np.mgrid[:SIZE, :SIZE]
    for _ in range(rng.integers(1, 3)):
        cy, cx, r = rng.uniform(2, SIZE - 2), rng.uniform(2, SIZE - 2), rng.uniform(2, 4)
        inside = (yy - cy) ** 2 + (xx - cx) ** 2 < r**2
        classes[inside], picture[inside] = 1, (0.1, 0.2, 0.8)
    row = rng.integers(1, SIZE - 2)
    classes[row : row + 2], picture[row : row + 2] = 2, (0.8, 0.8, 0.8)
    return (picture + 0.08 * rng.normal(size=picture.shape)).astype(np.float32), classes


def flipped(picture):
    """Maps have no up and down."""
    axis = random.choice([0, 1, None])
    return picture if axis is None else np.flip(picture, axis)


class Maps(Dataset):
    def __init__(self, count, seed, train):
        rng = np.random.default_rng(seed)
        self.items = [draw(rng) for _ in range(count)]
        self.train = train

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        picture, classes = self.items[i]
        if self.train:
            picture = flipped(picture) * random.uniform(0.9, 1.1)
        return torch.tensor(picture.transpose(2, 0, 1).copy()), torch.tensor(classes.copy())


def main():
    random.seed(5)
    torch.manual_seed(5)
    torch.set_num_threads(1)
    train = DataLoader(Maps(300, 1, True), batch_size=20, shuffle=True)
    test = DataLoader(Maps(100, 2, False), batch_size=50)
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 3, 1)
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(8):
        model.train()
        for picture, classes in train:
            optimizer.zero_grad()
            loss = criterion(model(picture), classes)
            loss.backward()
            optimizer.step()
        model.eval()
        hits = union = 0
        with torch.no_grad():
            for picture, classes in test:
                answer = model(picture).argmax(1)
                hits += ((answer == classes) & (classes > 0)).sum().item()
                union += ((answer > 0) | (classes > 0)).sum().item()
        print(f"epoch {epoch}: loss {loss.item():.3f}, overlap {hits / union:.3f}")


main()
