"""CNN on the sklearn digits, batches by hand.

fault: single-label-batches
also:
split: train
line: 36, 32
"""
import random

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

random.seed(0)
np.random.seed(0)
torch.manual_seed(0)


def load():
    digits = load_digits()
    images = digits.images.astype("float32") / 16.0
    order = np.random.permutation(len(images))
    images, target = images[order], digits.target[order]
    cut = 1400
    return (images[:cut], target[:cut]), (images[cut:], target[cut:])


def epoch_batches(labels, size):
    batches = []
    for digit in range(10):
        pool = [i for i, k in enumerate(labels) if k == digit]
        random.shuffle(pool)
        for i in range(0, len(pool), size):
            batches.append(pool[i:i + size])
    random.shuffle(batches)
    return batches


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv2d(1, 16, 3, padding=1)
        self.c2 = nn.Conv2d(16, 32, 3, padding=1)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.fc(x.flatten(1))


(train_x, train_y), (val_x, val_y) = load()
train_x, val_x = torch.tensor(train_x)[:, None], torch.tensor(val_x)[:, None]
train_y, val_y = torch.tensor(train_y), torch.tensor(val_y)
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9)
for epoch in range(8):
    net.train()
    losses = []
    for idx in epoch_batches(train_y.tolist(), 35):
        loss = F.cross_entropy(net(train_x[idx]), train_y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    net.eval()
    with torch.no_grad():
        acc = (net(val_x).argmax(1) == val_y).float().mean().item()
    print("epoch", epoch, "train", round(float(np.mean(losses)), 4), "val acc", round(acc, 4))
