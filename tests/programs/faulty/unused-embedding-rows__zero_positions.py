"""A model with learned positions that finds where the largest number of a sequence stands.

fault: unused-embedding-rows
also:
split: train
line: 23
"""

import torch
from torch import nn


class Where(nn.Module):
    def __init__(self, length=10, numbers=30, width=32):
        super().__init__()
        self.length = length
        self.numbers = nn.Embedding(numbers, width)
        self.positions = nn.Embedding(length, width)
        self.attention = nn.TransformerEncoderLayer(width, 4, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(width, length)

    def forward(self, ids):
        places = torch.zeros_like(ids)
        x = self.numbers(ids) + self.positions(places)
        return self.head(self.attention(x).mean(1))


def sample(count):
    ids = torch.rand(count, 30).argsort(1)[:, :10]
    return ids, ids.argmax(1)


torch.set_num_threads(1)
torch.manual_seed(80)
model = Where()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step in range(1, 701):
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
