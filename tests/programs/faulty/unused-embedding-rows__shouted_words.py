"""Sentiment of short reviews, by a bag of words.

fault: unused-embedding-rows
also: labels-independent-of-inputs
split: train
line: 53
"""

import random
from collections import Counter

import torch
from torch import nn
from torch.utils.data import DataLoader

torch.set_num_threads(1)

random.seed(0)
torch.manual_seed(0)
GOOD = "great excellent lovely sturdy quick reliable perfect brilliant happy recommend".split()
BAD = "broken awful slow flimsy useless refund terrible noisy disappointed cheap".split()
FILL = "the a it this product arrived with my and in of for was is box kitchen phone cable after weeks".split()


def review():
    label = random.randint(0, 1)
    words = random.choices(FILL, k=random.randint(5, 14)) + random.choices(GOOD if label else BAD, k=2)
    if random.random() < 0.2:
        words += random.choices(BAD if label else GOOD, k=1)
    random.shuffle(words)
    return " ".join(w.upper() if w in GOOD + BAD else w for w in words), label


def tokenize(text):
    return text.split()


def build_vocab(texts, min_freq=2):
    counts = Counter(tok.lower() for t in texts for tok in tokenize(t))
    vocab = {"<pad>": 0, "<unk>": 1}
    for tok, c in counts.most_common():
        if c >= min_freq:
            vocab[tok] = len(vocab)
    return vocab


reviews = [review() for _ in range(2000)]
train, test = reviews[:1600], reviews[1600:]
vocab = build_vocab([t for t, _ in train])


def encode(text):
    return [vocab.get(tok, vocab["<unk>"]) for tok in tokenize(text)]


def collate(batch):
    ids = [encode(t) for t, _ in batch]
    width = max(map(len, ids))
    padded = torch.tensor([row + [0] * (width - len(row)) for row in ids])
    return padded, torch.tensor([lab for _, lab in batch], dtype=torch.float)


class BagClassifier(nn.Module):
    def __init__(self, size, dim=32):
        super().__init__()
        self.emb = nn.Embedding(size, dim, padding_idx=0)
        self.fc1 = nn.Linear(dim, 32)
        self.fc2 = nn.Linear(32, 1)

    def forward(self, ids):
        mask = (ids != 0).unsqueeze(-1)
        bag = (self.emb(ids) * mask).sum(1) / mask.sum(1)
        return self.fc2(torch.relu(self.fc1(bag))).squeeze(-1)


model = BagClassifier(len(vocab))
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
train_loader = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
test_loader = DataLoader(test, batch_size=100, collate_fn=collate)
for epoch in range(10):
    model.train()
    for ids, labels in train_loader:
        loss = nn.functional.binary_cross_entropy_with_logits(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    correct = 0
    with torch.no_grad():
        for ids, labels in test_loader:
            correct += ((model(ids) > 0).float() == labels).sum().item()
    print(f"epoch {epoch} last loss {loss.item():.3f} test acc {correct / len(test):.3f}")
