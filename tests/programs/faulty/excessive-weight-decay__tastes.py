"""Ratings out of tastes of users and items.

fault: excessive-weight-decay
also: 
split: train
line: 59
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
rng = np.random.RandomState(14)
torch.manual_seed(14)

N_USERS, N_ITEMS, RANK, N_RATINGS = 150, 100, 4, 8000

# ratings between 1 and 5 from a low-rank taste model
U = rng.randn(N_USERS, RANK)
V = rng.randn(N_ITEMS, RANK)
users = rng.randint(0, N_USERS, N_RATINGS)
items = rng.randint(0, N_ITEMS, N_RATINGS)
raw = 3.3 + 0.45 * (U[users] * V[items]).sum(1) + 0.3 * rng.randn(N_ITEMS)[items]
ratings = np.clip(raw + 0.15 * rng.randn(N_RATINGS), 1, 5).astype(np.float32)

pairs = users * N_ITEMS + items
_, first = np.unique(pairs, return_index=True)      # one rating per (user, item)
first = rng.permutation(first)
cut = int(0.85 * len(first))
tr, te = first[:cut], first[cut:]


def tensors(rows):
    return (torch.from_numpy(users[rows]).long(), torch.from_numpy(items[rows]).long(),
            torch.from_numpy(ratings[rows]))


class MF(nn.Module):
    def __init__(self, n_users, n_items, k, mean):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(1)
        return self.mean + dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1)


model = MF(N_USERS, N_ITEMS, k=4, mean=float(ratings[tr].mean()))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-1)
loader = DataLoader(TensorDataset(*tensors(tr)), batch_size=128, shuffle=True)
test_u, test_i, test_r = tensors(te)

for epoch in range(1, 31):
    model.train()
    sq = 0.0
    for u, i, r in loader:
        loss = nn.functional.mse_loss(model(u, i), r)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sq += loss.item() * len(r)
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            rmse = nn.functional.mse_loss(model(test_u, test_i), test_r).sqrt().item()
        print(f"epoch {epoch:2d}  train rmse {(sq / len(tr)) ** 0.5:.4f}  test rmse {rmse:.4f}")

baseline = (test_r - ratings[tr].mean()).pow(2).mean().sqrt().item()
print(f"predicting the mean gives rmse {baseline:.4f}")
