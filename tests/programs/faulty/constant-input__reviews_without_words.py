"""Sentiment of made-up shop reviews, embedding bag.

fault: constant-input
also: unused-embedding-rows
split: train
line: 29, 39
"""
import random
from collections import Counter

import torch
from torch import nn

random.seed(4)
torch.manual_seed(4)
GOOD = "Great Lovely Excellent Fast Sturdy Recommend Perfect Happy Solid Nice".split()
BAD = "Broken Awful Late Refund Cheap Terrible Useless Noisy Poor Never".split()
FILL = "The Product Arrived On Monday And I Used It With My Old Phone For A Week So Far Box Was Blue".split()


def review(label):
    words = random.choices(FILL, k=random.randint(6, 12))
    words += random.choices(GOOD if label else BAD, k=3) + random.choices(BAD if label else GOOD, k=1)
    random.shuffle(words)
    return " ".join(words)


def tokenize(text):
    return text.split()


labels = [random.randint(0, 1) for _ in range(1600)]
texts = [review(l) for l in labels]
counts = Counter(w for t in texts for w in t.lower().split())
vocab = {"<unk>": 0, **{w: i + 1 for i, (w, _) in enumerate(counts.most_common())}}


def encode(text):
    return torch.tensor([vocab.get(w, 0) for w in tokenize(text)])


data = [(encode(t), l) for t, l in zip(texts, labels)]
train, test = data[:1300], data[1300:]


def collate(rows):
    flat = torch.cat([r[0] for r in rows])
    offs = torch.tensor([0] + [len(r[0]) for r in rows[:-1]]).cumsum(0)
    return flat, offs, torch.tensor([float(r[1]) for r in rows])


bag = nn.EmbeddingBag(len(vocab), 16, mode="mean")
head = nn.Linear(16, 1)
params = list(bag.parameters()) + list(head.parameters())
opt = torch.optim.Adam(params, lr=0.01)
for epoch in range(8):
    random.shuffle(train)
    tot = 0
    for i in range(0, len(train), 32):
        flat, offs, y = collate(train[i:i + 32])
        out = head(bag(flat, offs)).squeeze(1)
        loss = nn.functional.binary_cross_entropy_with_logits(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
    flat, offs, y = collate(test)
    with torch.no_grad():
        acc = ((head(bag(flat, offs)).squeeze(1) > 0).float() == y).float().mean().item()
    print(f"{epoch} {tot:.3f} {acc:.3f}")
print("SCORE", acc)
