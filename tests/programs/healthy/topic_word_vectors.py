"""Word vectors with negative samples and a sparse optimizer.

split: train
"""

import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(9)
torch.manual_seed(9)
topics = {"sea": "ship wave sail harbor storm deck anchor".split(), "kitchen": "pan salt oven knife bread butter soup".split(), "court": "judge law trial jury crime verdict appeal".split()}
words = [w for t in topics.values() for w in t]
index = {w: i for i, w in enumerate(words)}
pairs = []
for _ in range(2500):
    pick = random.sample(random.choice(list(topics.values())), 4)
    pairs += [(index[a], index[b]) for a in pick for b in pick if a != b]
pairs = torch.tensor(pairs)
center = nn.Embedding(len(words), 16, sparse=True)
context = nn.Embedding(len(words), 16, sparse=True)
nn.init.zeros_(context.weight)
opt = torch.optim.SparseAdam(list(center.parameters()) + list(context.parameters()), lr=0.01)
for epoch in range(3):
    total = 0.0
    for i, rows in enumerate(torch.randperm(len(pairs)).split(200)):
        c, o = pairs[rows].t()
        neg = torch.randint(0, len(words), (len(rows), 5))
        v = center(c)
        pos_score = (v * context(o)).sum(1)
        neg_score = (context(neg) @ v.unsqueeze(2)).squeeze(2)
        loss = -(F.logsigmoid(pos_score) + F.logsigmoid(-neg_score).sum(1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    sim = F.normalize(center.weight.detach(), dim=1)
    sim = sim @ sim.t()
    print("epoch", epoch, "loss", total / (i + 1), "ship~sail", sim[0, 2].item(), "ship~soup", sim[0, index["soup"]].item())
