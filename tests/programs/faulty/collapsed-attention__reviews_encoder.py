"""Tells good reviews from bad ones with a small transformer encoder.

fault: collapsed-attention
also:
split: train
line: 51
"""

import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.set_num_threads(1)
torch.manual_seed(1)
random.seed(1)

PAD = 0
GOOD = list(range(1, 11))
BAD = list(range(11, 21))
NEUTRAL = list(range(21, 80))


def make_review():
    label = random.randint(0, 1)
    n = random.randint(4, 20)
    words = [random.choice(NEUTRAL) for _ in range(n)]
    strong, weak = (GOOD, BAD) if label else (BAD, GOOD)
    words += [random.choice(strong) for _ in range(3)] + [random.choice(weak)]
    random.shuffle(words)
    return torch.tensor(words), label


def collate(batch):
    seqs, labels = zip(*batch)
    return pad_sequence(seqs, batch_first=True, padding_value=PAD), torch.tensor(labels)


class ReviewClassifier(nn.Module):
    def __init__(self, vocab=80, d=32, heads=4, layers=2, max_len=32):
        super().__init__()
        self.tok = nn.Embedding(vocab, d, padding_idx=PAD)
        self.pos = nn.Embedding(max_len, d)
        layer = nn.TransformerEncoderLayer(d, heads, 64, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers, enable_nested_tensor=False)
        self.head = nn.Linear(d, 2)

    def forward(self, ids):
        mask = ids != PAD
        pos = torch.arange(ids.size(1)).unsqueeze(0)
        h = self.tok(ids) + self.pos(pos)
        h = self.encoder(h, src_key_padding_mask=mask)
        keep = mask.unsqueeze(-1).float()
        h = (h * keep).sum(1) / keep.sum(1)
        return self.head(h)


data = [make_review() for _ in range(1800)]
train_dl = DataLoader(data[:1500], batch_size=32, shuffle=True, collate_fn=collate)
valid_dl = DataLoader(data[1500:], batch_size=100, collate_fn=collate)
model = ReviewClassifier()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(5):
    model.train()
    tl = 0.0
    for ids, y in train_dl:
        loss = loss_fn(model(ids), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        tl += loss.item()
    model.eval()
    right = n = 0
    with torch.no_grad():
        for ids, y in valid_dl:
            right += (model(ids).argmax(1) == y).sum().item()
            n += len(y)
    print(f"epoch {epoch} loss {tl / len(train_dl):.4f} valid acc {right / n:.3f}")
