"""A small transformer that sorts token sequences by which half holds the larger sum.

fault: graph-cut
also:
split: train
line: 32
"""

import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, vocabulary=12, length=10, width=8):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Parameter(0.1 * torch.randn(length, width))
        layer = nn.TransformerEncoderLayer(width, 2, 32, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, ids):
        return self.layers(self.tokens(ids) + self.positions).mean(1)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = nn.Linear(8, 2)

    def encode(self, ids):
        with torch.no_grad():
            return self.encoder(ids)

    def forward(self, ids):
        return self.head(self.encode(ids))


def sample(count):
    ids = torch.randint(0, 12, (count, 10))
    return ids, (ids[:, :5].sum(1) > ids[:, 5:].sum(1)).long()


torch.set_num_threads(1)
torch.manual_seed(22)
model = Model()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
criterion = nn.CrossEntropyLoss()
for step in range(300):
    ids, larger = sample(64)
    loss = criterion(model(ids), larger)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 49:
        ids, larger = sample(500)
        with torch.no_grad():
            accuracy = (model(ids).argmax(1) == larger).float().mean().item()
        print(f"step {step + 1}: loss {loss.item():.4f}, accuracy on new sequences {accuracy:.3f}")
