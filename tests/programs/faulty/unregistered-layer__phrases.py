"""A toy sentiment of phrases: convolutions of two widths over word vectors.

fault: unregistered-layer
also:
split: train
line: 53
"""

import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(1)
torch.manual_seed(1)
POS = "great lovely superb charming warm funny moving clever".split()
NEG = "dull awful boring clumsy cold noisy empty stupid".split()
FILL = "the film and a story with actor scene plot of in it was his her very".split()
vocab = {w: i + 1 for i, w in enumerate(POS + NEG + FILL + ["not"])}


def sentence():
    score, words = 0, []
    for _ in range(random.randint(2, 4)):
        words += random.choices(FILL, k=random.randint(1, 3))
        sign = random.choice([1, -1])
        word = random.choice(POS if sign > 0 else NEG)
        if random.random() < 0.4:
            words.append("not")
            sign = -sign
        words.append(word)
        score += sign
    return words, score


def dataset(n):
    xs, ys = [], []
    while len(xs) < n:
        words, score = sentence()
        if score == 0:
            continue
        ids = [vocab[w] for w in words][:20]
        xs.append(ids + [0] * (20 - len(ids)))
        ys.append(int(score > 0))
    return torch.tensor(xs), torch.tensor(ys)


class TextCNN(nn.Module):
    def __init__(self, n_words, dim=24, widths=(2, 3), maps=24):
        super().__init__()
        self.emb = nn.Embedding(n_words, dim, padding_idx=0)
        self.convs = [nn.Conv1d(dim, maps, w) for w in widths]
        self.norm = nn.LayerNorm(maps * len(widths))
        self.out = nn.Linear(maps * len(widths), 2)

    def forward(self, ids):
        e = self.emb(ids).transpose(1, 2)
        pooled = [F.relu(conv(e)).sum(2) for conv in self.convs]
        return self.out(self.norm(torch.cat(pooled, 1)))


X, Y = dataset(3000)
Xv, Yv = dataset(600)
net = TextCNN(len(vocab) + 1)
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(8):
    perm = torch.randperm(len(X))
    for i in range(0, len(X), 50):
        b = perm[i:i + 50]
        loss = F.cross_entropy(net(X[b]), Y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        acc = (net(Xv).argmax(1) == Yv).float().mean()
    print("epoch %d  loss %.3f  val %.3f" % (epoch, loss.item(), acc))
