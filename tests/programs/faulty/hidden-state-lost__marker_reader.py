"""A cell that reads symbol by symbol and tells what came behind the marker.

fault: hidden-state-lost
also:
split: test
line: 27
"""

import torch
from torch import nn

torch.manual_seed(6)


class Reader(nn.Module):
    """Reads a sequence one step at a time and says which symbol came first after the marker."""

    def __init__(self, symbols=6, hidden=48):
        super().__init__()
        self.hidden = hidden
        self.emb = nn.Embedding(symbols + 1, 16)
        self.cell = nn.GRUCell(16, hidden)
        self.fc = nn.Linear(hidden, symbols)

    def forward(self, seq):
        for t in range(seq.size(1)):
            h = torch.zeros(seq.size(0), self.hidden)
            h = self.cell(self.emb(seq[:, t]), h)
        return self.fc(h)


def make(n, length=10, symbols=6):
    seq = torch.randint(0, symbols, (n, length))
    where = torch.randint(0, length - 2, (n,))
    rows = torch.arange(n)
    seq[rows, where] = symbols
    return seq, seq[rows, where + 1].clone()


model = Reader()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
xs, ys = make(4000)
xt, yt = make(500)
for epoch in range(8):
    model.train()
    mean = 0.0
    for ids in torch.randperm(4000).split(64):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xs[ids]), ys[ids])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        mean += loss.item() / 63
    model.eval()
    with torch.no_grad():
        acc = (model(xt).argmax(1) == yt).float().mean().item()
    print("epoch", epoch, "loss", round(mean, 3), "acc", round(acc, 3))
