"""A recurrence written by hand that says which of two symbols came more often.

fault: exploding-gradient
also: badly-scaled-init, activation-scale, initial-loss-off
split: train
line: 18
"""

import torch
from torch import nn


class Counter(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.width = width
        self.embed = nn.Embedding(2, width)
        self.recur = nn.Parameter(torch.randn(width, width) / width**0.5 * 1.8)
        self.readout = nn.Linear(width, 2)

    def forward(self, symbols):
        state = torch.zeros(len(symbols), self.width)
        for step in range(symbols.shape[1]):
            state = nn.functional.leaky_relu(state @ self.recur + 0.1 * self.embed(symbols[:, step]), 0.5)
        return self.readout(state)


def batch(size=64, length=25):
    symbols = (torch.rand(size, length) < torch.rand(size, 1)).long()
    return symbols, (symbols.sum(1) > length // 2).long()


def train(steps=500):
    model = Counter()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
    for step in range(steps):
        symbols, label = batch()
        loss = nn.functional.cross_entropy(model(symbols), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 99:
            symbols, label = batch(1000)
            with torch.no_grad():
                right = (model(symbols).argmax(1) == label).float().mean().item()
            print(f"{step + 1} {loss.item():.4f} {right:.3f}")


torch.set_num_threads(1)
torch.manual_seed(14)
train()
