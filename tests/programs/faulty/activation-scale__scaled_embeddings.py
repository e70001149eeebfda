"""A network that adds two symbols of a sequence.

fault: activation-scale
also: initial-loss-off
split: train
line: 25
"""

import torch
from torch import nn

WIDTH, SYMBOLS, LENGTH = 32, 8, 8


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(SYMBOLS, WIDTH)
        self.places = nn.Embedding(LENGTH, WIDTH)
        self.mix = nn.Linear(LENGTH * WIDTH, 64)
        self.deep = nn.Linear(64, 64)
        self.out = nn.Linear(64, SYMBOLS)

    def forward(self, ids):
        x = self.tokens(ids) * WIDTH**2 + self.places(torch.arange(LENGTH))
        x = torch.relu(self.mix(x.flatten(1)))
        return self.out(torch.relu(self.deep(x)))


def sample(count):
    ids = torch.randint(0, SYMBOLS, (count, LENGTH))
    return ids, (ids[:, 0] + ids[:, 3]) % SYMBOLS


torch.set_num_threads(1)
torch.manual_seed(17)
model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for step in range(1, 701):
    ids, wanted = sample(64)
    loss = nn.functional.cross_entropy(model(ids), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        ids, wanted = sample(500)
        with torch.no_grad():
            right = (model(ids).argmax(1) == wanted).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} right {right:.3f}")
