"""An encoder that must know the order.

fault: unused-parameter
also:
split: test
line: 38, 39
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

VOCAB, LENGTH = 12, 10
A, B = 0, 1


def make_sequences(n, seed):
    """one A and one B somewhere among other tokens; label: is A before B?"""
    g = torch.Generator().manual_seed(seed)
    x = torch.randint(2, VOCAB, (n, LENGTH), generator=g)
    spots = torch.rand(n, LENGTH, generator=g).argsort(1)[:, :2]
    x.scatter_(1, spots[:, :1], A)
    x.scatter_(1, spots[:, 1:], B)
    return x, (spots[:, 0] < spots[:, 1]).long()


class OrderModel(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.token_emb = nn.Embedding(VOCAB, dim)
        self.pos_emb = nn.Embedding(LENGTH, dim)
        layer = nn.TransformerEncoderLayer(
            dim, nhead=4, dim_feedforward=64, dropout=0.0, batch_first=True, norm_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.classifier = nn.Linear(dim, 2)

    def forward(self, ids):
        h = self.token_emb(ids)
        h = self.encoder(h)
        return self.classifier(h.mean(dim=1))


class Trainer:
    def __init__(self, model, lr=2e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.loss_fn = nn.CrossEntropyLoss()

    def epoch(self, loader):
        self.model.train()
        total = 0.0
        for x, y in loader:
            self.opt.zero_grad()
            loss = self.loss_fn(self.model(x), y)
            loss.backward()
            self.opt.step()
            total += loss.item()
        return total / len(loader)

    def accuracy(self, x, y):
        self.model.eval()
        with torch.no_grad():
            return (self.model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    x, y = make_sequences(2500, 1)
    xv, yv = make_sequences(500, 2)
    loader = DataLoader(TensorDataset(x, y), batch_size=64, shuffle=True)
    trainer = Trainer(OrderModel())
    for ep in range(8):
        loss = trainer.epoch(loader)
        print(f"epoch {ep + 1} loss {loss:.4f} val acc {trainer.accuracy(xv, yv):.3f}")
