"""Next-symbol prediction with a GRU.

fault: output-activation
also: double-sigmoid, double-softmax
split: test
line: 22
"""

import torch
from torch import nn


class Next(nn.Module):
    def __init__(self, symbols=16, width=32):
        super().__init__()
        self.embedding = nn.Embedding(symbols, width)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, symbols)

    def forward(self, ids):
        hidden, _ = self.gru(self.embedding(ids))
        return torch.sigmoid(self.out(hidden))


torch.set_num_threads(1)
torch.manual_seed(102)
follow = torch.randperm(16)
model = Next()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(1, 301):
    ids = torch.randint(0, 16, (32, 13))
    for place in range(2, 13):
        ids[:, place] = (follow[ids[:, place - 1]] + ids[:, place - 2]) % 16
    scores = model(ids[:, :-1])
    loss = nn.functional.cross_entropy(scores[:, 1:].flatten(0, 1), ids[:, 2:].flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        right = (scores[:, 1:].argmax(-1) == ids[:, 2:]).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} right {right:.3f}")
