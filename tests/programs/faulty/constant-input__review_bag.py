"""Short reviews as bags of words.

fault: constant-input
also: unused-embedding-rows
split: test
line: 39, 58
"""

import random
import torch
import torch.nn as nn
from collections import Counter

GOOD = "great lovely superb charming brilliant moving funny clever delightful gripping".split()
BAD = "dull awful boring clumsy tedious weak shallow noisy stale dreadful".split()
FILL = "the film was really quite with scenes and actors from start until end my friend said so this story felt".split()


def make_reviews(n, rng):
    out = []
    for _ in range(n):
        label = rng.randint(0, 1)
        words = [rng.choice(FILL) for _ in range(rng.randint(6, 12))]
        for _ in range(rng.randint(1, 3)):
            words.insert(rng.randint(0, len(words)), rng.choice(GOOD if label else BAD))
        out.append((" ".join(words), label))
    return out


class Vocab:
    def __init__(self, texts, min_freq=2):
        counts = Counter(w for t in texts for w in t.split())
        self.index = {"<pad>": 0, "<unk>": 1}
        for w, c in counts.most_common():
            if c >= min_freq:
                self.index[w] = len(self.index)

    def encode(self, text, length=16):
        ids = [self.index.get(tok, 1) for tok in text][:length]
        return ids + [0] * (length - len(ids))

    def __len__(self):
        return len(self.index)


class BagClassifier(nn.Module):
    def __init__(self, n_words, dim=24):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.fc = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, 2))

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1).float()
        return self.fc((self.emb(ids) * mask).sum(1) / mask.sum(1).clamp(min=1))


def tensors(vocab, data):
    x = torch.tensor([vocab.encode(t) for t, _ in data])
    return x, torch.tensor([l for _, l in data])


if __name__ == "__main__":
    torch.manual_seed(0)
    rng = random.Random(0)
    train, test = make_reviews(1600, rng), make_reviews(400, rng)
    vocab = Vocab([t for t, _ in train])
    xa, ya = tensors(vocab, train)
    xb, yb = tensors(vocab, test)
    model = BagClassifier(len(vocab))
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(12):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(xa)).split(32):
            loss = nn.functional.cross_entropy(model(xa[idx]), ya[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(idx)
        model.eval()
        with torch.no_grad():
            acc = (model(xb).argmax(1) == yb).float().mean().item()
        print(f"epoch {epoch + 1:2d}  loss {total / len(xa):.4f}  test acc {acc:.3f}")
