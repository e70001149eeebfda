"""Skip-gram with negative sampling; sparse embeddings and SparseAdam. Words come from hidden topics.

split: test
"""

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(28)
rng = np.random.default_rng(28)
TOPICS, WORDS = 8, 25
V = TOPICS * WORDS
topic_of = np.repeat(np.arange(TOPICS), WORDS)

sents = []
for _ in range(2500):
    k = rng.integers(TOPICS)
    inside = k * WORDS + rng.integers(0, WORDS, 10)
    noise = rng.integers(0, V, 10)
    sents.append(np.where(rng.random(10) < 0.15, noise, inside))
sents = np.stack(sents)
pairs = np.concatenate([np.stack([sents[:, i], sents[:, j]], 1)
                        for i in range(10) for j in range(max(0, i - 2), min(10, i + 3)) if i != j])
pairs = torch.from_numpy(pairs[rng.permutation(len(pairs))])
freq = torch.bincount(pairs[:, 0], minlength=V).float() ** 0.75
cut = int(0.9 * len(pairs))
train, held = pairs[:cut], pairs[cut:]


class SGNS(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.inp = nn.Embedding(V, dim, sparse=True)
        self.out = nn.Embedding(V, dim, sparse=True)
        nn.init.uniform_(self.inp.weight, -0.5 / dim, 0.5 / dim)
        nn.init.normal_(self.out.weight, std=0.01)

    def forward(self, c, o, neg):
        v = self.inp(c)
        pos = (v * self.out(o)).sum(-1)
        ng = torch.einsum("bd,bkd->bk", v, self.out(neg))
        return -(F.logsigmoid(pos) + F.logsigmoid(-ng).sum(-1)).mean()


def negatives(n, k=5):
    return torch.multinomial(freq, n * k, replacement=True).view(n, k)


model = SGNS()
opt = torch.optim.SparseAdam(model.parameters(), lr=5e-3)
for epoch in range(4):
    tot, nb = 0.0, 0
    for b in torch.randperm(len(train)).split(512):
        c, o = train[b].unbind(1)
        loss = model(c, o, negatives(len(b)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item(); nb += 1
    with torch.no_grad():
        h = model(held[:, 0], held[:, 1], negatives(len(held)))
    print(f"epoch {epoch + 1} train {tot / nb:.4f} held-out {h.item():.4f} (start {6 * np.log(2):.3f})")

with torch.no_grad():
    e = F.normalize(model.inp.weight, dim=1)
    sim = e @ e.t()
    sim.fill_diagonal_(-2)
    nn5 = sim.topk(5, dim=1).indices.numpy()
print("share of 5 nearest neighbours with the same topic:", (topic_of[nn5] == topic_of[:, None]).mean().round(4))
