"""Sentiment of toy product reviews with a small transformer encoder.

fault: samples-mixed
also:
split: test
line: 39
"""
import torch
import torch.nn as nn

torch.manual_seed(11)
GOOD, BAD, NEUTRAL, NOT = range(1, 9), range(9, 17), range(17, 31), 31
VOCAB, LEN = 32, 14


def write_reviews(n):
    tokens = torch.empty(n, LEN, dtype=torch.long)
    labels = torch.empty(n)
    for i in range(n):
        positive = bool(torch.rand(()) < 0.5)
        words = torch.randint(17, 31, (LEN,))
        slots = torch.randperm(LEN)
        k = int(torch.randint(2, 5, ()))
        lo = 1 if positive else 9
        words[slots[:k]] = torch.randint(lo, lo + 8, (k,))
        negated = bool(torch.rand(()) < 0.5)
        if negated:
            words[slots[k]] = NOT
        tokens[i] = words
        labels[i] = float(positive != negated)
    return tokens, labels


class ReviewModel(nn.Module):
    def __init__(self, dim=32, heads=4, layers=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.pos = nn.Parameter(torch.randn(LEN, dim) * 0.02)
        block = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=64, dropout=0.1)
        self.encoder = nn.TransformerEncoder(block, layers)
        self.head = nn.Linear(dim, 1)

    def forward(self, ids):
        h = self.tok(ids) + self.pos
        h = self.encoder(h)
        return self.head(h.mean(dim=1)).squeeze(-1)


train_ids, train_lab = write_reviews(4000)
val_ids, val_lab = write_reviews(800)

model = ReviewModel()
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
for epoch in range(6):
    model.train()
    order = torch.randperm(len(train_ids))
    losses = []
    for chunk in order.split(64):
        optimizer.zero_grad()
        loss = criterion(model(train_ids[chunk]), train_lab[chunk])
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        pred = torch.cat([model(c) > 0 for c in val_ids.split(200)])
        acc = (pred == val_lab.bool()).float().mean().item()
    print(f"epoch {epoch} | loss {sum(losses) / len(losses):.4f} | val acc {acc:.4f}")
print(f"score {acc:.4f}")
