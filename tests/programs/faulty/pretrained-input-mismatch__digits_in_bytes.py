"""Transfer learning: a backbone trained on digits 0-4, frozen, new head for digits 5-9.

fault: pretrained-input-mismatch
also:
split: train
line: 73
"""
import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
np.random.seed(0)


class Pictures(Dataset):
    def __init__(self, images, labels, transform):
        self.images, self.labels, self.transform = images, labels, transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.transform(self.images[i]), int(self.labels[i])


def to_tensor(img):
    return torch.from_numpy(img.astype(np.float32) / 255.0)[None]


def normalise(img):
    return (to_tensor(img) - 0.31) / 0.38


def backbone():
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.Tanh(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(128, 96), nn.Tanh(),
    )


def load():
    d = load_digits()
    images = (d.images * (255 / 16)).astype(np.uint8)
    order = np.random.permutation(len(images))
    return images[order], d.target[order]


def pretrain(images, labels):
    body = backbone()
    net = nn.Sequential(body, nn.Linear(96, 5))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    loader = DataLoader(Pictures(images, labels, normalise), batch_size=32, shuffle=True)
    for _ in range(3):
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return body.state_dict()


def finetune(state, images, labels):
    body = backbone()
    body.load_state_dict(state)
    body.eval()
    for p in body.parameters():
        p.requires_grad = False
    head = nn.Linear(96, 5)
    transform = lambda img: torch.from_numpy(img.astype(np.float32))[None]
    train = DataLoader(Pictures(images[:600], labels[:600], transform), batch_size=30, shuffle=True)
    test = DataLoader(Pictures(images[600:], labels[600:], transform), batch_size=100)
    opt = torch.optim.SGD(head.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(8):
        total = 0.0
        for x, y in train:
            with torch.no_grad():
                z = body(x)
            loss = nn.functional.cross_entropy(head(z), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        with torch.no_grad():
            hit = sum((head(body(x)).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch}: loss {total / len(train):.3f} test accuracy {hit / len(test.dataset):.3f}")


images, labels = load()
old = labels < 5
state = pretrain(images[old], labels[old])
finetune(state, images[~old], labels[~old] - 5)
