"""Section of a newspaper headline (bag of words, EmbeddingBag).

fault: excessive-weight-decay
also:
split: test
line: 70
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(21)
torch.manual_seed(21)

SECTIONS = ["sport", "money", "science", "culture", "weather", "travel"]
WORDS_PER = 60
COMMON = 200
VOCAB = WORDS_PER * len(SECTIONS) + COMMON


def headline():
    s = random.randrange(len(SECTIONS))
    n = random.randint(6, 12)
    words = []
    for _ in range(n):
        z = random.random()
        if z < 0.38:
            words.append(s * WORDS_PER + random.randrange(WORDS_PER))
        elif z < 0.50:
            words.append(random.randrange(WORDS_PER * len(SECTIONS)))
        else:
            words.append(WORDS_PER * len(SECTIONS) + random.randrange(COMMON))
    return words, s


def collate(items):
    flat, offsets, labels = [], [], []
    for words, s in items:
        offsets.append(len(flat))
        flat.extend(words)
        labels.append(s)
    return torch.tensor(flat), torch.tensor(offsets), torch.tensor(labels)


class Headlines(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(VOCAB, dim, mode="mean")
        self.fc1 = nn.Linear(dim, 32)
        self.fc2 = nn.Linear(32, len(SECTIONS))

    def forward(self, flat, offsets):
        return self.fc2(F.relu(self.fc1(self.bag(flat, offsets))))


def batches(data, size, shuffle):
    order = list(range(len(data)))
    if shuffle:
        random.shuffle(order)
    for i in range(0, len(order), size):
        yield collate([data[j] for j in order[i:i + size]])


train = [headline() for _ in range(8000)]
val = [headline() for _ in range(1500)]

model = Headlines()
opt = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=0.1)

for epoch in range(6):
    model.train()
    tot = n = 0
    for flat, off, lab in batches(train, 64, True):
        loss = F.cross_entropy(model(flat, off), lab)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(lab)
        n += len(lab)
    model.eval()
    right = 0
    vloss = 0.0
    with torch.no_grad():
        for flat, off, lab in batches(val, 500, False):
            out = model(flat, off)
            vloss += F.cross_entropy(out, lab, reduction="sum").item()
            right += (out.argmax(1) == lab).sum().item()
    print(f"epoch {epoch}: train {tot / n:.4f}, val {vloss / len(val):.4f}, val acc {right / len(val):.4f}")
print(f"score {right / len(val):.4f}")
