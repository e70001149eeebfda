"""Topics of documents.

fault: unused-embedding-rows
also: labels-independent-of-inputs
split: train
line: 77
"""

import collections
import random
import torch
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

torch.set_num_threads(1)
random.seed(4)
torch.manual_seed(4)

TOPICS = ["sport", "politics", "science", "cooking", "music", "travel"]


def make_corpus(n):
    docs = []
    for _ in range(n):
        k = random.randrange(len(TOPICS))
        words = []
        for _ in range(random.randint(12, 25)):
            if random.random() < 0.3:
                words.append(f"{TOPICS[k]}{int(random.expovariate(1 / 25)) % 120}")
            elif random.random() < 0.15:
                words.append(f"{random.choice(TOPICS)}{int(random.expovariate(1 / 25)) % 120}")
            else:
                words.append(f"the{int(random.expovariate(1 / 8)) % 40}")
        docs.append((" ".join(words), k))
    return docs


class Vocab:
    def __init__(self, texts, min_freq):
        c = collections.Counter(w for t in texts for w in t.split())
        self.itos = ["<pad>", "<unk>"] + sorted(c, key=lambda w: -c[w])
        self.size = len(self.itos)
        self.stoi = {w: i for i, w in enumerate(self.itos) if c[w] >= min_freq}

    def encode(self, text):
        return [self.stoi.get(w, 1) for w in text.split()]


class Docs(Dataset):
    def __init__(self, docs, vocab):
        self.rows = [(torch.tensor(vocab.encode(t)), k) for t, k in docs]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


def collate(batch):
    xs, ys = zip(*batch)
    offs = torch.tensor([0] + [len(x) for x in xs[:-1]]).cumsum(0)
    return torch.cat(xs), offs, torch.tensor(ys)


class Classifier(nn.Module):
    def __init__(self, n, d=32):
        super().__init__()
        self.emb = nn.EmbeddingBag(n, d, mode="mean")
        self.net = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, len(TOPICS)))

    def forward(self, x, offs):
        return self.net(self.emb(x, offs))


train_docs, test_docs = make_corpus(1800), make_corpus(500)
vocab = Vocab([t for t, _ in train_docs], min_freq=200)
train = DataLoader(Docs(train_docs, vocab), 32, shuffle=True, collate_fn=collate)
test = DataLoader(Docs(test_docs, vocab), 100, collate_fn=collate)

model = Classifier(vocab.size)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
lossf = nn.CrossEntropyLoss()
for ep in range(8):
    model.train()
    tot = 0
    for x, o, y in train:
        loss = lossf(model(x, o), y)
        opt.zero_grad(); loss.backward(); opt.step()
        tot += loss.item()
    model.eval()
    with torch.no_grad():
        right = sum((model(x, o).argmax(1) == y).sum().item() for x, o, y in test)
    print(f"epoch {ep} train loss {tot / len(train):.3f} test acc {right / len(test_docs):.3f}")
