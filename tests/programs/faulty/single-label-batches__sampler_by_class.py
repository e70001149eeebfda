"""Digits with a convolutional network with batch-norm, whose batches come from a sampler of its own.

fault: single-label-batches
also:
split: train
line: 27
"""

import random

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Sampler, TensorDataset


class GroupedSampler(Sampler):
    """Batches of rows in random order."""

    def __init__(self, labels, batch_size):
        self.labels = labels
        self.batch_size = batch_size

    def __iter__(self):
        batches = []
        for label in self.labels.unique():
            rows = (self.labels == label).nonzero()[:, 0]
            rows = rows[torch.randperm(len(rows))]
            batches += [rows[i : i + self.batch_size].tolist() for i in range(0, len(rows), self.batch_size)]
        random.shuffle(batches)
        return iter(batches)

    def __len__(self):
        return -(-len(self.labels) // self.batch_size)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(218)
    random.seed(218)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    labels = torch.tensor(digits.target)
    order = torch.randperm(len(images))
    images, labels = images[order], labels[order]
    loader = DataLoader(TensorDataset(images[:1400], labels[:1400]), batch_sampler=GroupedSampler(labels[:1400], 28))
    net = nn.Sequential(
        nn.Conv2d(1, 12, 3), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(108, 10)
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(6):
        net.train()
        for x, y in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
        net.eval()
        with torch.no_grad():
            accuracy = (net(images[1400:]).argmax(1) == labels[1400:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
