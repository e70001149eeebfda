"""Implicit-feedback recommender with Bayesian personalised ranking.

split: test
"""
import numpy as np
import torch
import torch.nn.functional as F

rng = np.random.default_rng(13)
torch.manual_seed(13)
torch.set_num_threads(1)
U, I = 200, 150
aff = rng.normal(size=(U, 3)) @ rng.normal(size=(3, I))
seen = aff > np.quantile(aff, 0.9, axis=1, keepdims=True)
train_mask = seen & (rng.random((U, I)) < 0.7)
test_mask = seen & ~train_mask
pos = torch.tensor(np.argwhere(train_mask))
tm = torch.tensor(train_mask)

P = torch.nn.Parameter(torch.randn(U, 8) * 0.1)
Q = torch.nn.Parameter(torch.randn(I, 8) * 0.1)
opt = torch.optim.Adam([P, Q], lr=0.01)


def recall_at(k=10):
    with torch.no_grad():
        s = (P @ Q.T).masked_fill(tm, -1e9)
        top = s.topk(k, 1).indices.numpy()
    hits = np.take_along_axis(test_mask, top, 1).sum(1)
    return (hits / np.maximum(1, np.minimum(k, test_mask.sum(1)))).mean()


for epoch in range(40):
    for b in torch.randperm(len(pos)).split(128):
        u, i = pos[b].T
        j = torch.randint(0, I, (len(b),))
        x = (P[u] * (Q[i] - Q[j])).sum(1)
        ok = ~tm[u, j]
        loss = -F.logsigmoid(x[ok]).mean() + 1e-3 * (P[u].pow(2).sum(1) + Q[i].pow(2).sum(1) + Q[j].pow(2).sum(1)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 8 == 7:
        print(f"epoch {epoch + 1} bpr {loss.item():.4f} recall@10 {recall_at():.4f}")
