"""Representations of short signals: two noisy views of one signal are told from those of others.

fault: weights-not-loaded
also: 
split: train
line: 39
"""

import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Encoder(nn.Module):
    def __init__(self, length=40, dim=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(length, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.head = nn.Linear(64, dim)

    def forward(self, signal):
        return F.normalize(self.head(self.body(signal)), dim=1)


class Contrast:
    def __init__(self, temperature=0.2, kept=256):
        self.quick = Encoder()
        self.slow = copy.deepcopy(self.quick).requires_grad_(False)
        self.queue = F.normalize(torch.randn(kept, 16), dim=1)
        self.temperature = temperature
        self.optimizer = torch.optim.SGD(self.quick.parameters(), lr=0.1, momentum=0.9)

    def step(self, one, other):
        query = self.quick(one)
        with torch.no_grad():
            key = self.slow(other)
        same = (query * key).sum(1, keepdim=True)
        logits = torch.cat([same, query @ self.queue.T], 1) / self.temperature
        loss = F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.queue = torch.cat([key, self.queue])[: len(self.queue)]
        return loss.item()


def signals(count):
    t = torch.linspace(0, 1, 40)
    waves = torch.rand(count, 3, 1) * 6 + 1
    return (torch.sin(6.28 * waves * t) * torch.rand(count, 3, 1)).sum(1)


def view(signal):
    return signal * (0.8 + 0.4 * torch.rand(len(signal), 1)) + 0.1 * torch.randn_like(signal)


torch.manual_seed(6)
data = signals(1600)
training = Contrast()
for epoch in range(8):
    total = 0.0
    for rows in torch.randperm(len(data)).split(50):
        total += training.step(view(data[rows]), view(data[rows]))
    print(f"epoch {epoch} loss {total / 32:.3f}")
