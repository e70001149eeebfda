"""A training program.

split: test
"""
# Sentiment of short reviews: tokenise, build a vocabulary, EmbeddingBag classifier.
import random

import torch
import torch.nn as nn
from torch.utils.data import DataLoader

random.seed(0)
torch.manual_seed(0)

POS = "great lovely excellent superb delightful wonderful charming brilliant touching enjoyable".split()
NEG = "awful boring terrible dull dreadful clumsy tedious annoying weak disappointing".split()
NOUN = "plot acting music script cast ending dialogue photography pacing story".split()
FILL = "the was and really quite a bit film movie with i thought in my view overall somewhat very".split()


def write_review():
    label = random.random() < 0.5
    words = []
    for _ in range(random.randint(3, 6)):
        pool = (POS if label else NEG) if random.random() < 0.85 else (NEG if label else POS)
        words += random.sample(FILL, 3) + [random.choice(NOUN), "was", random.choice(pool)]
    return " ".join(words), int(label)


reviews = [write_review() for _ in range(4000)]
train, valid, test = reviews[:3000], reviews[3000:3500], reviews[3500:]

vocab = {"<unk>": 0}
for text, _ in train:
    for w in text.split():
        vocab.setdefault(w, len(vocab))


def collate(batch):
    ids, offsets, labels = [], [], []
    for text, label in batch:
        offsets.append(len(ids))
        ids.extend(vocab.get(w, 0) for w in text.split())
        labels.append(label)
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor(labels)


class Classifier(nn.Module):
    def __init__(self, n_vocab, dim=24):
        super().__init__()
        self.bag = nn.EmbeddingBag(n_vocab, dim, mode="mean")
        self.fc1 = nn.Linear(dim, 24)
        self.fc2 = nn.Linear(24, 2)

    def forward(self, ids, offsets):
        return self.fc2(torch.relu(self.fc1(self.bag(ids, offsets))))


def accuracy(model, data):
    model.eval()
    hits = 0
    with torch.no_grad():
        for ids, off, y in DataLoader(data, batch_size=250, collate_fn=collate):
            hits += (model(ids, off).argmax(1) == y).sum().item()
    return hits / len(data)


model = Classifier(len(vocab))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
loader = DataLoader(train, batch_size=50, shuffle=True, collate_fn=collate)

for epoch in range(1, 13):
    model.train()
    total = 0.0
    for ids, off, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(ids, off), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} loss {total / len(loader):.4f} valid acc {accuracy(model, valid):.3f}")
print("test accuracy", round(accuracy(model, test), 4))
