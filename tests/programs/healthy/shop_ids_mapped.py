"""Matrix factorisation of ratings with the ids of a shop, mapped to rows.

split: train
"""

import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
torch.manual_seed(0)
torch.set_num_threads(1)

# ratings log: raw ids as they come out of the shop's database
n_users, n_items = 150, 80
user_ids = rng.choice(np.arange(10_000, 90_000), n_users, replace=False)
item_ids = rng.choice(np.arange(500, 5_000), n_items, replace=False)
P, Q = rng.normal(0, 1, (n_users, 3)), rng.normal(0, 1, (n_items, 3))
u, i = rng.integers(0, n_users, 6000), rng.integers(0, n_items, 6000)
rating = (P[u] * Q[i]).sum(1) + rng.normal(0, 0.2, 6000)
log_user, log_item = user_ids[u], item_ids[i]

users = torch.tensor(np.unique(log_user, return_inverse=True)[1])
items = torch.tensor(np.unique(log_item, return_inverse=True)[1])
ratings = torch.tensor(rating, dtype=torch.float32)


class MF(nn.Module):
    def __init__(self, n_users, n_items, k=8):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.ub = nn.Embedding(n_users, 1)
        self.ib = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, 0, 0.3)
        nn.init.normal_(self.item.weight, 0, 0.3)
        nn.init.zeros_(self.ub.weight)
        nn.init.zeros_(self.ib.weight)

    def forward(self, u, i):
        return (self.user(u) * self.item(i)).sum(1) + self.ub(u).squeeze(1) + self.ib(i).squeeze(1)


model = MF(n_users, n_items)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
tr = torch.arange(6000)[:5000]
te = torch.arange(6000)[5000:]
for epoch in range(15):
    tr = tr[torch.randperm(len(tr))]
    for b in tr.split(100):
        loss = ((model(users[b], items[b]) - ratings[b]) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        rmse = ((model(users[te], items[te]) - ratings[te]) ** 2).mean().sqrt().item()
    print(f"epoch {epoch} train mse {loss.item():.3f} test rmse {rmse:.3f}")
print("rating std", ratings.std().item())
