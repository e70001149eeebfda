"""Skip-gram with negative sampling; sparse embeddings and SparseAdam. The score is topic purity of neighbours.

split: test
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(0)
torch.manual_seed(0)

# corpus: eight topics, each with its own words, plus function words everywhere
TOPICS, WORDS, STOP = 8, 20, 15
vocab_size = TOPICS * WORDS + STOP
sentences = []
for _ in range(2500):
    k = random.randrange(TOPICS)
    sentences.append([random.randrange(TOPICS * WORDS, vocab_size) if random.random() < 0.3
                      else k * WORDS + min(int(random.expovariate(0.15)), WORDS - 1) for _ in range(12)])

counts = torch.zeros(vocab_size)
pairs = []
for s in sentences:
    for i, w in enumerate(s):
        counts[w] += 1
        for j in range(max(0, i - 3), min(len(s), i + 4)):
            if j != i:
                pairs.append((w, s[j]))
pairs = torch.tensor(pairs)
noise = counts.pow(0.75)


class SkipGram(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.inp = nn.Embedding(n, dim, sparse=True)
        self.out = nn.Embedding(n, dim, sparse=True)
        nn.init.uniform_(self.inp.weight, -0.5 / dim, 0.5 / dim)
        nn.init.zeros_(self.out.weight)

    def forward(self, w, c, neg):
        v = self.inp(w)
        pos = (v * self.out(c)).sum(-1)
        negs = torch.bmm(self.out(neg), v.unsqueeze(2)).squeeze(2)
        return -(F.logsigmoid(pos) + F.logsigmoid(-negs).sum(1)).mean()


def purity(model, k=5):
    e = F.normalize(model.inp.weight.detach()[:TOPICS * WORDS], dim=1)
    sim = e @ e.T
    sim.fill_diagonal_(-2)
    topic = torch.arange(TOPICS * WORDS) // WORDS
    return (topic[sim.topk(k, 1).indices] == topic[:, None]).float().mean().item()


model = SkipGram(vocab_size, 24)
opt = torch.optim.SparseAdam(model.parameters(), lr=5e-3)
print(f"{len(pairs)} pairs, purity at the start {purity(model):.3f}")
for epoch in range(4):
    total, n = 0.0, 0
    for batch in pairs[torch.randperm(len(pairs))].split(512):
        neg = torch.multinomial(noise, len(batch) * 5, replacement=True).view(-1, 5)
        loss = model(batch[:, 0], batch[:, 1], neg)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(batch)
        n += len(batch)
    print(f"epoch {epoch + 1} loss {total / n:.4f} purity@5 {purity(model):.3f}")
