"""Sentiment of generated short reviews of varying length, GRU over packed sequences.

split: train
"""
import random

import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader

GOOD = "great lovely superb charming clever moving".split()
BAD = "dull awful clumsy boring weak noisy".split()
FILL = "the film was a bit with its and story actors music scene plot very".split()
VOCAB = {w: i + 1 for i, w in enumerate(GOOD + BAD + FILL + ["not"])}  # 0 is padding


def make_review(rng):
    label = rng.random() < 0.5
    words = [rng.choice(FILL) for _ in range(rng.randint(4, 20))]
    for _ in range(rng.randint(1, 3)):
        flip = rng.random() < 0.3
        word = rng.choice(GOOD if label != flip else BAD)
        at = rng.randrange(len(words) + 1)
        while 0 < at < len(words) and words[at - 1] == "not":
            at += 1
        words[at:at] = ["not", word] if flip else [word]
    return torch.tensor([VOCAB[w] for w in words]), float(label)


def collate(items):
    seqs, labels = zip(*items)
    return pad_sequence(seqs, batch_first=True), torch.tensor([len(s) for s in seqs]), torch.tensor(labels)


class ReviewGRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(len(VOCAB) + 1, 24, padding_idx=0)
        self.gru = nn.GRU(24, 32, batch_first=True)
        self.fc = nn.Linear(32, 1)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(self.emb(x), lengths, batch_first=True, enforce_sorted=False)
        _, h = self.gru(packed)
        return self.fc(h[-1]).squeeze(1)


rng = random.Random(0)
torch.manual_seed(0)
train = [make_review(rng) for _ in range(3000)]
test = [make_review(rng) for _ in range(600)]
loader = DataLoader(train, batch_size=50, shuffle=True, collate_fn=collate)
test_loader = DataLoader(test, batch_size=200, collate_fn=collate)
model = ReviewGRU()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(8):
    model.train()
    losses = []
    for x, n, y in loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(x, n), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        hits = sum(((model(x, n) > 0) == (y > 0.5)).sum().item() for x, n, y in test_loader)
    print(f"epoch {epoch + 1} loss {sum(losses) / len(losses):.4f} test acc {hits / len(test):.4f}")
