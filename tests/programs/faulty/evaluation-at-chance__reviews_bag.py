"""Reviews as bags of words.

fault: evaluation-at-chance
also: preprocessing-differs
split: test
line: 54
"""

import random
import torch
import torch.nn as nn

random.seed(66)
torch.manual_seed(66)
torch.set_num_threads(1)

POS = "great lovely superb tasty crisp charming bright perfect friendly cosy".split()
NEG = "awful bland rude dirty cold noisy stale broken slow greasy".split()
NEUTRAL = ("the a place food was and we went there with our table service room staff dish soup bread menu "
           "evening lunch dinner street very quite really today again").split()


def review():
    label = random.randint(0, 1)
    n = random.randint(6, 14)
    toks = [random.choice(NEUTRAL) for _ in range(n)]
    for _ in range(random.randint(2, 3)):
        toks.insert(random.randrange(len(toks)), random.choice(POS if label else NEG))
    if random.random() < 0.3:
        toks.insert(random.randrange(len(toks)), random.choice(NEG if label else POS))
    return toks, label


def build_vocab(reviews):
    vocab = {"<unk>": 0}
    for toks, _ in reviews:
        for t in toks:
            vocab.setdefault(t, len(vocab))
    return vocab


def encode(reviews, vocab):
    ids, offsets, labels = [], [], []
    for toks, lab in reviews:
        offsets.append(len(ids))
        ids += [vocab.get(t, 0) for t in toks]
        labels.append(lab)
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor(labels).float()


train_reviews = [review() for _ in range(1500)]
test_reviews = [review() for _ in range(400)]
vocab = build_vocab(train_reviews)
test_ids, test_off, test_lab = encode(test_reviews, build_vocab(test_reviews))


class BagModel(nn.Module):
    def __init__(self, size, dim=16):
        super().__init__()
        self.bag = nn.EmbeddingBag(size, dim, mode="mean")
        self.out = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, ids, off):
        return self.out(self.bag(ids, off)).squeeze(1)


model = BagModel(len(vocab))
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
bce = nn.BCEWithLogitsLoss()
for epoch in range(8):
    random.shuffle(train_reviews)
    tot = 0.0
    for s in range(0, len(train_reviews), 50):
        ids, off, lab = encode(train_reviews[s:s + 50], vocab)
        opt.zero_grad()
        loss = bce(model(ids, off), lab)
        loss.backward()
        opt.step()
        tot += loss.item() / 30
    with torch.no_grad():
        acc = ((model(test_ids, test_off) > 0).float() == test_lab).float().mean()
    print(f"epoch {epoch}  train loss {tot:.4f}  test acc {acc:.3f}")
