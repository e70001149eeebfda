"""A small transformer encoder tells which half of a sequence holds more of a symbol.

fault: learning-rate-too-low
also:
split: test
line: 36
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(37)


class Reader(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.words = nn.Embedding(12, dim)
        self.places = nn.Parameter(torch.randn(16, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.head(self.encoder(self.words(ids) + self.places).mean(1))


def batch(n):
    ids = torch.randint(0, 12, (n, 16))
    low = ids < 4
    return ids, (low[:, :8].sum(1) > low[:, 8:].sum(1)).long()


model = Reader()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-6)
criterion = nn.CrossEntropyLoss()
for step in range(1, 401):
    ids, label = batch(64)
    loss = criterion(model(ids), label)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        model.eval()
        with torch.no_grad():
            ids, label = batch(1000)
            print(f"step {step} loss {loss.item():.4f} accuracy {(model(ids).argmax(1) == label).float().mean():.3f}")
        model.train()
