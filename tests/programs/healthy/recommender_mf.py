"""Matrix factorisation with biases on generated 1-5 ratings.

split: test
"""

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

rng = np.random.default_rng(17)
torch.manual_seed(17)
N_USERS, N_ITEMS, K = 300, 200, 3
U, V = rng.normal(0, 0.8, (N_USERS, K)), rng.normal(0, 0.8, (N_ITEMS, K))
bu, bi = rng.normal(0, 0.4, N_USERS), rng.normal(0, 0.5, N_ITEMS)
users, items = np.nonzero(rng.random((N_USERS, N_ITEMS)) < 0.35)
score = 3.3 + bu[users] + bi[items] + (U[users] * V[items]).sum(1) + rng.normal(0, 0.3, len(users))
ratings = pd.DataFrame({"user": users, "item": items, "rating": np.clip(np.round(score), 1, 5)})
ratings = ratings.sample(frac=1.0, random_state=17).reset_index(drop=True)
n = len(ratings)
train_df, val_df, test_df = ratings[: int(.8 * n)], ratings[int(.8 * n): int(.9 * n)], ratings[int(.9 * n):]


class RatingSet(Dataset):
    def __init__(self, df):
        self.u = torch.tensor(df.user.values.copy())
        self.i = torch.tensor(df.item.values.copy())
        self.r = torch.tensor(df.rating.values.copy(), dtype=torch.float32)

    def __len__(self):
        return len(self.r)

    def __getitems__(self, idx):
        idx = torch.tensor(idx)
        return self.u[idx], self.i[idx], self.r[idx]


class MF(nn.Module):
    def __init__(self, dim, mean):
        super().__init__()
        self.user, self.item = nn.Embedding(N_USERS, dim), nn.Embedding(N_ITEMS, dim)
        self.ub, self.ib = nn.Embedding(N_USERS, 1), nn.Embedding(N_ITEMS, 1)
        self.mean = nn.Parameter(torch.tensor(float(mean)))
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.ub, self.ib):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + dot + self.ub(u).squeeze(-1) + self.ib(i).squeeze(-1)


train = DataLoader(RatingSet(train_df), batch_size=256, shuffle=True, collate_fn=lambda b: b)
val, test = RatingSet(val_df), RatingSet(test_df)
model = MF(4, train_df.rating.mean())
emb = [p for n_, p in model.named_parameters() if n_ != "mean"]
opt = torch.optim.Adam([{"params": emb, "weight_decay": 5e-5}, {"params": [model.mean]}], lr=5e-3)
EPOCHS = 25
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)


def rmse(ds):
    model.eval()
    with torch.no_grad():
        return (model(ds.u, ds.i) - ds.r).pow(2).mean().sqrt().item()


for epoch in range(EPOCHS):
    model.train()
    se = 0.0
    for u, i, r in train:
        loss = nn.functional.mse_loss(model(u, i), r)
        opt.zero_grad()
        loss.backward()
        opt.step()
        se += loss.item() * len(r)
    sched.step()
    if epoch % 3 == 0 or epoch == EPOCHS - 1:
        print(f"epoch {epoch:2d} train rmse {(se / len(train_df)) ** .5:.4f} val rmse {rmse(val):.4f}")
print(f"test rmse {rmse(test):.4f}; constant {test_df.rating.std():.4f}; noise about {np.sqrt(0.09 + 1 / 12):.3f}")
