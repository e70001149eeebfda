"""Attention written by hand that picks the value that belongs to a key.

fault: samples-mixed
also: softmax-over-batch, scrambled-axes
split: train
line: 23
"""

import torch
from torch import nn


class Lookup(nn.Module):
    def __init__(self, keys=10, width=16):
        super().__init__()
        self.key = nn.Embedding(keys, width)
        self.query = nn.Embedding(keys, width)
        self.value = nn.Linear(1, width)
        self.out = nn.Linear(width, 1)

    def forward(self, keys, values, wanted):
        scores = (self.key(keys) * self.query(wanted).unsqueeze(1)).sum(-1)
        weights = torch.softmax(scores, 0)
        context = (weights.unsqueeze(-1) * self.value(values.unsqueeze(-1))).sum(1)
        return self.out(context).squeeze(-1)


def sample(count, size=6):
    keys = torch.rand(count, 10).argsort(1)[:, :size]
    values = torch.randn(count, size)
    place = torch.randint(0, size, (count,))
    rows = torch.arange(count)
    return keys, values, keys[rows, place], values[rows, place]


torch.set_num_threads(1)
torch.manual_seed(50)
model = Lookup()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(1, 801):
    keys, values, wanted, target = sample(64)
    loss = nn.functional.mse_loss(model(keys, values, wanted), target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        keys, values, wanted, target = sample(300)
        with torch.no_grad():
            error = nn.functional.mse_loss(model(keys, values, wanted), target).item()
        print(f"step {step} error {error:.4f}")
