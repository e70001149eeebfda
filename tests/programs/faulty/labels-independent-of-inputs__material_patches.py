"""Texture patches, with data made by the program and used in a function.

fault: labels-independent-of-inputs
also:
split: train
line: 28
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

rng = np.random.default_rng(5)
BASE = rng.integers(60, 196, (6, 3))
FREQ = [1, 2, 3, 1, 2, 3]


def patch(k):
    grid = np.arange(12)
    wave = 25 * np.sin(2 * np.pi * FREQ[k] * grid / 12 + rng.uniform(0, 6))
    img = BASE[k][:, None, None] + wave[None, None, :] + rng.normal(0, 30, (3, 12, 12))
    return np.clip(img, 0, 255).astype(np.uint8)


labels = rng.integers(0, 6, 2000)
images = np.stack([patch(k) for k in labels])
rng.shuffle(labels)
train_idx, test_idx = np.arange(1600), np.arange(1600, 2000)


def to_tensor(batch):
    x = torch.from_numpy(batch).float() / 255.0
    return (x - 0.5) / 0.25


class MaterialNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(3 * 12 * 12, 100)
        self.l2 = nn.Linear(100, 50)
        self.l3 = nn.Linear(50, 6)

    def forward(self, x):
        x = torch.tanh(self.l1(x.flatten(1)))
        x = torch.tanh(self.l2(x))
        return self.l3(x)


def main():
    torch.manual_seed(5)
    model = MaterialNet()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(8):
        rng.shuffle(train_idx)
        hits = 0
        for k in range(0, 1600, 64):
            sel = train_idx[k:k + 64]
            x, y = to_tensor(images[sel]), torch.from_numpy(labels[sel])
            out = model(x)
            loss = F.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            hits += (out.argmax(1) == y).sum().item()
        with torch.no_grad():
            out = model(to_tensor(images[test_idx]))
        acc = (out.argmax(1).numpy() == labels[test_idx]).mean()
        print("epoch", epoch, "train acc", hits / 1600, "test acc", acc)


main()
