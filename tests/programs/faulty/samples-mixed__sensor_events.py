"""Events out of sensors for a transformer.

fault: samples-mixed
also: 
split: test
line: 50
"""

import math
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(21)


def make_logs(n, length=16, vocab=12):
    """Event logs: label = which of the events 1, 2, 3 comes first after the marker 0."""
    seq = torch.randint(4, vocab, (n, length))
    label = torch.randint(0, 3, (n,))
    for i in range(n):
        slots = torch.randperm(length)[:4].sort().values
        others = [e for e in (1, 2, 3) if e != label[i].item() + 1]
        seq[i, slots[0]] = others[0] if torch.rand(1) < 0.5 else others[1]
        seq[i, slots[1]] = 0
        seq[i, slots[2]] = label[i] + 1
        seq[i, slots[3]] = others[1] if seq[i, slots[0]] == others[0] else others[0]
    return TensorDataset(seq, label)


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len=64):
        super().__init__()
        pos = torch.arange(max_len)[:, None]
        freq = torch.exp(torch.arange(0, dim, 2) * (-math.log(1000.0) / dim))
        table = torch.zeros(max_len, dim)
        table[:, 0::2], table[:, 1::2] = torch.sin(pos * freq), torch.cos(pos * freq)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(1)]


class EventClassifier(nn.Module):
    def __init__(self, vocab=12, dim=32, heads=4, layers=2, classes=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.pos = PositionalEncoding(dim)
        block = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=64, dropout=0.0)
        self.encoder = nn.TransformerEncoder(block, layers)
        self.head = nn.Linear(dim, classes)

    def forward(self, seq):
        h = self.pos(self.embed(seq))
        h = self.encoder(h)
        return self.head(h.mean(dim=1))


def evaluate(model, loader):
    model.eval()
    hits = total = 0
    with torch.no_grad():
        for seq, y in loader:
            hits += (model(seq).argmax(-1) == y).sum().item()
            total += len(y)
    return hits / total


train_dl = DataLoader(make_logs(3000), batch_size=64, shuffle=True)
valid_dl = DataLoader(make_logs(500), batch_size=64)
model = EventClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)

for epoch in range(8):
    model.train()
    running = 0.0
    for seq, y in train_dl:
        optimizer.zero_grad(set_to_none=True)
        loss = criterion(model(seq), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        running += loss.item() * len(y)
    print(f"epoch {epoch + 1}: train loss {running / 3000:.4f}, valid acc {evaluate(model, valid_dl):.3f}")
