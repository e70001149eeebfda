"""Patterns in sequences for a transformer.

fault: samples-mixed
also: 
split: train
line: 51
"""

import math
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(77)

VOCAB, SEQ, DIM, CLASSES = 12, 16, 32, 4


def generate(n):
    """Class = which of four marker tokens comes first in the sequence."""
    x = torch.randint(4, VOCAB, (n, SEQ))
    first = torch.randint(0, 4, (n,))
    other = (first + torch.randint(1, 4, (n,))) % 4
    for i in range(n):
        a, b = sorted(torch.randperm(SEQ)[:2].tolist())
        x[i, a] = first[i]
        x[i, b] = other[i]
    return x, first


class PositionalEncoding(nn.Module):
    def __init__(self, dim, max_len=64):
        super().__init__()
        pos = torch.arange(max_len).unsqueeze(1)
        freq = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))
        pe = torch.zeros(max_len, dim)
        pe[:, 0::2] = torch.sin(pos * freq)
        pe[:, 1::2] = torch.cos(pos * freq)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[:x.size(1)]


class TransformerClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, DIM)
        self.pos = PositionalEncoding(DIM)
        layer = nn.TransformerEncoderLayer(DIM, nhead=4, dim_feedforward=64, dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.head = nn.Linear(DIM, CLASSES)

    def forward(self, x):
        h = self.pos(self.embed(x))      # (batch, seq, dim)
        h = self.encoder(h)
        return self.head(h.mean(dim=1))


x_train, y_train = generate(2500)
x_val, y_val = generate(500)
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=50, shuffle=True)

model = TransformerClassifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=6)

for epoch in range(6):
    model.train()
    total = 0.0
    for xb, yb in loader:
        loss = criterion(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    scheduler.step()
    model.eval()
    with torch.no_grad():
        logits = torch.cat([model(c) for c in x_val.split(50)])
        val = criterion(logits, y_val).item()
        acc = (logits.argmax(1) == y_val).float().mean().item()
    print(f"epoch {epoch + 1}  train {total / len(loader):.4f}  val {val:.4f}  acc {acc:.3f}")
