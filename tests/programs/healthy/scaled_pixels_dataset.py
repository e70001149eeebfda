"""Digits of 8 bits, scaled by a data set of its own.

split: train
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Digits(Dataset):
    def __init__(self, part):
        d = load_digits()
        keep = np.arange(len(d.target)) % 4 == 0 if part == "test" else np.arange(len(d.target)) % 4 != 0
        self.images, self.labels = (d.images[keep] * 15).astype(np.uint8), d.target[keep]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        image = torch.from_numpy(self.images[i] / 255).float().unsqueeze(0)
        return image, int(self.labels[i])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3)
        self.fc = nn.Linear(16 * 36, 10)

    def forward(self, x):
        return self.fc(self.conv(x).relu().flatten(1))


def accuracy(net, loader):
    net.eval()
    with torch.no_grad():
        return sum((net(x).argmax(1) == y).sum().item() for x, y in loader) / len(loader.dataset)


if __name__ == "__main__":
    torch.manual_seed(0)
    train, test = DataLoader(Digits("train"), 32, shuffle=True), DataLoader(Digits("test"), 64)
    net = Net()
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    for epoch in range(8):
        net.train()
        for x, y in train:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
        print(epoch, loss.item(), accuracy(net, test))
