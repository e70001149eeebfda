"""Digits by a convolution network and a loader.

fault: labels-sorted
also: single-label-batches
split: test
line: 78
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(5)


class DigitFolder(Dataset):
    """Digits grouped per class, as they would lie in class folders on a disk."""

    def __init__(self, train=True, n_train=140):
        images, labels = load_digits(return_X_y=True)
        order = np.random.RandomState(0).permutation(len(labels))
        images, labels = images[order], labels[order]
        xs, ys = [], []
        for digit in range(10):
            rows = images[labels == digit]
            rows = rows[:n_train] if train else rows[n_train:]
            xs.append(rows)
            ys.append(np.full(len(rows), digit))
        x = np.concatenate(xs).reshape(-1, 1, 8, 8)
        self.x = torch.tensor(x / 16.0, dtype=torch.float32)
        self.y = torch.tensor(np.concatenate(ys))

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc1 = nn.Linear(32 * 2 * 2, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        return self.fc2(F.relu(self.fc1(x)))


def train_one_epoch(net, loader, opt):
    net.train()
    losses = []
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(net(x), y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def test(net, loader):
    net.eval()
    right = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    return right / len(loader.dataset)


train_loader = DataLoader(DigitFolder(True), batch_size=32)
test_loader = DataLoader(DigitFolder(False), batch_size=128)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.5)
for epoch in range(1, 13):
    loss = train_one_epoch(net, train_loader, opt)
    print(f"epoch {epoch}: loss={loss:.3f} test_acc={test(net, test_loader):.3f}")
