"""Clicks of users on items, with one tower for each.

fault: unused-embedding-rows
also: 
split: train
line: 33
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)

N_USER, N_ITEM, N_LOG = 120, 100, 9000
taste_u, taste_i = torch.randn(N_USER, 2), torch.randn(N_ITEM, 2)
users = torch.randint(0, N_USER, (N_LOG,))
items = torch.randint(0, N_ITEM, (N_LOG,))
clicks = torch.bernoulli(torch.sigmoid(3 * (taste_u[users] * taste_i[items]).sum(1)))
n_train = 7500


class Tower(nn.Module):
    def __init__(self, n, max_id, dim=12):
        super().__init__()
        self.max_id = max_id
        self.table = nn.Embedding(n, dim)
        nn.init.normal_(self.table.weight, std=0.3)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids):
        e = self.table(ids.clamp(max=self.max_id))
        return e + self.proj(torch.tanh(e))


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = Tower(N_USER, 9)
        self.item = Tower(N_ITEM, 9)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.bias


def auc(score, label):
    order = score.argsort()
    rank = torch.empty_like(score)
    rank[order] = torch.arange(1, len(score) + 1, dtype=score.dtype)
    p = label.sum()
    return ((rank[label == 1].sum() - p * (p + 1) / 2) / (p * (len(label) - p))).item()


model = TwoTower()
opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
for epoch in range(12):
    total = 0.0
    for idx in torch.randperm(n_train).split(128):
        logit = model(users[idx], items[idx])
        loss = F.binary_cross_entropy_with_logits(logit, clicks[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    with torch.no_grad():
        s = model(users[n_train:], items[n_train:])
    print(f"epoch {epoch + 1} logloss {total / n_train:.4f} held-out auc {auc(s, clicks[n_train:]):.3f}")
