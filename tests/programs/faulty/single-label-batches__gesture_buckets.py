"""Gestures of different lengths in buckets.

fault: single-label-batches
also: labels-sorted
split: test
line: 86
"""

import math
import random

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset, Sampler

torch.set_num_threads(1)
torch.manual_seed(8)
random.seed(8)


class Gestures(Dataset):
    """2-d pen strokes of varying length: circle, zigzag, spiral, line with hook."""

    def __init__(self, n):
        self.labels = [random.randrange(4) for _ in range(n)]
        self.lengths = [random.randint(12, 40) for _ in range(n)]
        self.strokes = [self.draw(c, t) for c, t in zip(self.labels, self.lengths)]

    @staticmethod
    def draw(kind, steps):
        u = torch.linspace(0, 1, steps)
        phase, size = random.uniform(0, 2 * math.pi), random.uniform(0.7, 1.3)
        if kind == 0:
            xy = torch.stack([torch.cos(2 * math.pi * u + phase), torch.sin(2 * math.pi * u + phase)], 1)
        elif kind == 1:
            xy = torch.stack([2 * u - 1, torch.sin(6 * math.pi * u + phase)], 1)
        elif kind == 2:
            xy = u[:, None] * torch.stack([torch.cos(4 * math.pi * u + phase), torch.sin(4 * math.pi * u + phase)], 1)
        else:
            xy = torch.stack([2 * u - 1, torch.relu(u - 0.7) * 3 + 0.3 * math.sin(phase)], 1)
        return size * xy + 0.12 * torch.randn(steps, 2)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.strokes[i], self.labels[i]


class BucketBatches(Sampler):
    """Batches of items with near keys, in random order; saves padding."""

    def __init__(self, keys, batch_size):
        self.keys, self.batch_size = keys, batch_size

    def __iter__(self):
        order = sorted(range(len(self.keys)), key=lambda i: (self.keys[i], random.random()))
        batches = [order[i:i + self.batch_size] for i in range(0, len(order), self.batch_size)]
        random.shuffle(batches)
        return iter(batches)

    def __len__(self):
        return math.ceil(len(self.keys) / self.batch_size)


def collate(items):
    strokes, labels = zip(*items)
    return pad_sequence(strokes, batch_first=True), torch.tensor([len(s) for s in strokes]), torch.tensor(labels)


class StrokeNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True, bidirectional=True)
        self.norm = nn.BatchNorm1d(2 * hidden)
        self.fc = nn.Linear(2 * hidden, 4)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        return self.fc(self.norm(torch.cat([h[0], h[1]], dim=1)))


train_set, test_set = Gestures(1280), Gestures(400)
train_loader = DataLoader(train_set, batch_sampler=BucketBatches(train_set.labels, 32), collate_fn=collate)
test_loader = DataLoader(test_set, batch_size=100, collate_fn=collate)

model = StrokeNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
ce = nn.CrossEntropyLoss()

for epoch in range(6):
    model.train()
    total = 0.0
    for x, lengths, y in train_loader:
        optimizer.zero_grad(set_to_none=True)
        loss = ce(model(x, lengths), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        correct = sum((model(x, n).argmax(1) == y).sum().item() for x, n, y in test_loader)
    print(f"epoch {epoch}: loss {total / len(train_loader):.4f}, test accuracy {correct / len(test_set):.3f}")
