"""Attention with several heads, written by hand: which of the later tokens equals the first?

fault: scrambled-axes
also:
split: train
line: 22
"""

import torch
from torch import nn


class Heads(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.query, self.key, self.value = (nn.Linear(width, width) for _ in range(3))
        self.out = nn.Linear(width, width)

    def split(self, x):
        batch, length, _ = x.shape
        return x.view(batch, self.heads, length, self.size)

    def forward(self, x):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        weights = (q @ k.transpose(-1, -2) / self.size**0.5).softmax(-1)
        return self.out((weights @ v).reshape(x.shape))


class Model(nn.Module):
    def __init__(self, tokens=16, length=9, width=32):
        super().__init__()
        self.tokens = nn.Embedding(tokens, width)
        self.places = nn.Parameter(torch.randn(length, width))
        self.attention = Heads(width, 4)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, length - 1)

    def forward(self, ids):
        x = self.tokens(ids) + self.places
        return self.head(self.norm(x + self.attention(x))[:, 0])


def sample(count):
    ids = torch.rand(count, 16).argsort(1)[:, :9]
    place = torch.randint(0, 8, (count,))
    ids[:, 0] = ids[torch.arange(count), place + 1]
    return ids, place


torch.set_num_threads(1)
torch.manual_seed(111)
model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(1, 901):
    ids, place = sample(64)
    loss = nn.functional.cross_entropy(model(ids), place)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        ids, place = sample(500)
        with torch.no_grad():
            right = (model(ids).argmax(1) == place).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} right {right:.3f}")
