"""A recurrent network that adds two symbols of a sequence.

fault: width-one-bottleneck
also: too-small-model
split: train
line: 14
"""

import torch
from torch import nn


class First(nn.Module):
    def __init__(self, symbols=8, hidden=1):
        super().__init__()
        self.embed = nn.Embedding(symbols, 16)
        self.gru = nn.GRU(16, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, symbols))

    def forward(self, ids):
        return self.head(self.gru(self.embed(ids))[0][:, -1])


def train(model, steps=700):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(1, steps + 1):
        ids = torch.randint(0, 8, (64, 6))
        wanted = (ids[:, 0] + ids[:, 4]) % 8
        loss = nn.functional.cross_entropy(model(ids), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            with torch.no_grad():
                right = (model(ids).argmax(1) == wanted).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} right {right:.3f}")


torch.set_num_threads(1)
torch.manual_seed(96)
train(First())
