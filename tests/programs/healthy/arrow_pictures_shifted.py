"""Which way does the arrow point? Small picture classifier with augmentation.

split: train
"""
import random

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

DIRECTIONS = ["left", "right", "up", "down"]


def draw(direction, size=20):
    img = np.zeros((size, size), np.float32)
    mid = size // 2 + np.random.randint(-2, 3)
    img[mid - 1:mid + 1, 3:size - 3] = 1.0
    for k in range(5):
        img[mid - 1 - k:mid + 1 + k, size - 4 - k] = 1.0
    turn = {"right": 0, "up": 1, "left": 2, "down": 3}[direction]
    return np.rot90(img, turn).copy()


class Compose:
    def __init__(self, *ops):
        self.ops = ops

    def __call__(self, img):
        for op in self.ops:
            img = op(img)
        return img


class RandomFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, img):
        if random.random() < self.p:
            img = img.flip(-1)
        if random.random() < self.p:
            img = img.flip(-2)
        return img


class RandomShift:
    def __call__(self, img):
        return torch.roll(img, (random.randint(-1, 1), random.randint(-1, 1)), (-2, -1))


class Noise:
    def __call__(self, img):
        return img + 0.15 * torch.randn_like(img)


class Arrows(Dataset):
    def __init__(self, n, transform=None):
        self.labels = np.random.randint(0, 4, n)
        self.images = [draw(DIRECTIONS[k]) for k in self.labels]
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        img = torch.from_numpy(self.images[i])[None]
        if self.transform is not None:
            img = self.transform(img)
        return img, int(self.labels[i])


class ArrowNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 5, padding=2), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.classifier = nn.Linear(16 * 25, 4)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def main():
    random.seed(0), np.random.seed(0), torch.manual_seed(0)
    augment = Compose(RandomShift(), Noise())
    train = DataLoader(Arrows(1200, augment), batch_size=40, shuffle=True)
    valid = DataLoader(Arrows(400), batch_size=100)
    model = ArrowNet()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    ce = nn.CrossEntropyLoss()
    for epoch in range(6):
        model.train()
        total, hits = 0.0, 0
        for img, lab in train:
            logits = model(img)
            loss = ce(logits, lab)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(lab)
            hits += (logits.argmax(1) == lab).sum().item()
        model.eval()
        good = 0
        with torch.no_grad():
            for img, lab in valid:
                good += (model(img).argmax(1) == lab).sum().item()
        print(f"epoch {epoch}: train loss {total / 1200:.3f} train acc {hits / 1200:.3f} valid acc {good / 400:.3f}")


if __name__ == "__main__":
    main()
