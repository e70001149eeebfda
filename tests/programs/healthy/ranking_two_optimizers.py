"""Rankings with a sparse and a dense optimizer.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(27)

USERS, ITEMS, GENRES = 300, 150, 6


def history():
    taste = torch.randint(0, GENRES, (USERS, 2))
    genre = torch.arange(ITEMS) % GENRES
    likes = (genre[None, :] == taste[:, :1]) | (genre[None, :] == taste[:, 1:])
    seen = likes & (torch.rand(USERS, ITEMS) < 0.5)
    return likes, seen, likes & ~seen, genre


class Ranker(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.user = nn.Embedding(USERS, dim, sparse=True)
        self.item = nn.Embedding(ITEMS, dim, sparse=True)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)
        self.tower = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, u, i):
        e = self.item(i)
        return (self.user(u) * (e + self.tower(e))).sum(-1)


def auc(model, seen, held):
    model.eval()
    with torch.no_grad():
        s = model(torch.arange(USERS)[:, None], torch.arange(ITEMS)[None, :])
    other = ~(seen | held)
    vals = []
    for u in range(USERS):
        p, n = s[u][held[u]], s[u][other[u]]
        if len(p) and len(n):
            vals.append((p[:, None] > n[None, :]).float().mean())
    model.train()
    return torch.stack(vals).mean().item()


likes, seen, held, genre = history()
pairs = seen.nonzero()
counts = seen.sum(1)
rank = counts.argsort(descending=True).argsort()
model = Ranker()
tables = torch.optim.SparseAdam([model.user.weight, model.item.weight], lr=1e-2)
dense = torch.optim.AdamW(model.tower.parameters(), lr=2e-3, weight_decay=1e-4)
print(f"start AUC {auc(model, seen, held):.3f}")

for epoch in range(14):
    share = min(1.0, 0.5 + 0.1 * epoch)
    active = pairs[rank[pairs[:, 0]] < share * USERS]
    active = active[torch.randperm(len(active))]
    total, n = 0.0, 0
    for batch in active.split(256):
        u, pos = batch[:, 0], batch[:, 1]
        neg = torch.randint(0, ITEMS, pos.shape)
        valid = ~seen[u, neg]
        u, pos, neg = u[valid], pos[valid], neg[valid]
        loss = -F.logsigmoid(model(u, pos) - model(u, neg)).mean()
        tables.zero_grad()
        dense.zero_grad()
        loss.backward()
        tables.step()
        dense.step()
        total, n = total + loss.item(), n + 1
    print(f"epoch {epoch:2d} pairs {len(active)} bpr {total / n:.4f} held-out AUC {auc(model, seen, held):.4f}")
