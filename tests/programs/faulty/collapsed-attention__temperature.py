"""Attention pooling over words that carry a number each; the average of some of them is wanted.

fault: collapsed-attention
also: saturated-activation, activation-scale
split: train
line: 25
"""

import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.entry = nn.Linear(2, width)
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = torch.relu(self.entry(x))
        scores = self.query(x) @ self.key(x).transpose(1, 2)
        weights = (scores * 400).softmax(-1)
        return self.out((weights @ self.value(x)).mean(1)).squeeze(-1)


def sample(count, length=12):
    numbers = torch.randn(count, length)
    marked = (torch.rand(count, length) < 0.4).float()
    mean = (numbers * marked).sum(1) / marked.sum(1).clamp(min=1)
    return torch.stack([numbers, marked], -1), 2 * mean


torch.set_num_threads(1)
torch.manual_seed(70)
model = Pool()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(1, 701):
    x, y = sample(64)
    loss = (model(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        x, y = sample(500)
        with torch.no_grad():
            print(f"step {step} loss {loss.item():.4f} error {(model(x) - y).pow(2).mean().item():.4f}")
