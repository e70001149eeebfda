"""Reviews in buckets of one length, with a bidirectional GRU.

fault: labels-independent-of-inputs
also: 
split: train
line: 44
"""

import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence

torch.set_num_threads(1)
random.seed(10)
torch.manual_seed(10)

GOOD = ["great", "lovely", "superb", "fun", "charming", "bright"]
BAD = ["dull", "awful", "boring", "weak", "messy", "flat"]
FILL = [f"w{i}" for i in range(60)]


def review():
    label = random.random() < 0.5
    pool = GOOD if label else BAD
    other = BAD if label else GOOD
    words = random.choices(FILL, k=random.randint(4, 20)) + random.choices(pool, k=3) + random.choices(other, k=1)
    random.shuffle(words)
    return words, float(label)


vocab = {w: i + 1 for i, w in enumerate(GOOD + BAD + FILL)}


def encode(pairs):
    return [torch.tensor([vocab[w] for w in ws]) for ws, _ in pairs], torch.tensor([l for _, l in pairs])


train_seqs, train_labels = encode([review() for _ in range(1500)])
test_seqs, test_labels = encode([review() for _ in range(400)])

by_len = sorted(range(len(train_seqs)), key=lambda i: len(train_seqs[i]))
train_seqs = [train_seqs[i] for i in by_len]


class BiGRU(nn.Module):
    def __init__(self, n_vocab, dim=24, hidden=24):
        super().__init__()
        self.emb = nn.Embedding(n_vocab, dim, padding_idx=0)
        self.gru = nn.GRU(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 1)

    def forward(self, ids):
        mask = (ids > 0).unsqueeze(-1).float()
        h, _ = self.gru(self.emb(ids))
        pooled = (h * mask).sum(1) / mask.sum(1)
        return self.out(pooled).squeeze(-1)


model = BiGRU(len(vocab) + 1)
optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
bce = nn.BCEWithLogitsLoss()
buckets = [list(range(i, min(i + 50, len(train_seqs)))) for i in range(0, len(train_seqs), 50)]

for epoch in range(6):
    random.shuffle(buckets)
    model.train()
    total = 0.0
    for rows in buckets:
        ids = pad_sequence([train_seqs[r] for r in rows], batch_first=True)
        loss = bce(model(ids), train_labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    model.eval()
    with torch.no_grad():
        logits = model(pad_sequence(test_seqs, batch_first=True))
        acc = ((logits > 0).float() == test_labels).float().mean()
    print(f"epoch {epoch + 1} loss {total / len(buckets):.4f} test acc {acc:.3f}")
