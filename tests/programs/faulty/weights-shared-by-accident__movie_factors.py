"""Ratings of films.

fault: weights-shared-by-accident
also:
split: train
line: 41, 47
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


def simulate(n_users=150, n_items=150, rank=4, n_obs=9000, seed=0):
    rng = np.random.default_rng(seed)
    p = rng.normal(0, 1, (n_users, rank))
    q = rng.normal(0, 1, (n_items, rank))
    full = p @ q.T / np.sqrt(rank)
    pairs = rng.choice(n_users * n_items, n_obs, replace=False)
    u, i = pairs // n_items, pairs % n_items
    r = full[u, i] + rng.normal(0, 0.1, n_obs)
    return u, i, r.astype(np.float32)


class Ratings(Dataset):
    def __init__(self, u, i, r):
        self.u, self.i, self.r = map(torch.as_tensor, (u, i, r))

    def __len__(self):
        return len(self.r)

    def __getitem__(self, k):
        return self.u[k], self.i[k], self.r[k]


class Factorizer(nn.Module):
    def __init__(self, n_users, n_items, dim=8):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = self.user_emb
        nn.init.normal_(self.user_emb.weight, std=0.3)
        nn.init.normal_(self.item_emb.weight, std=0.3)
        self.bias = nn.Parameter(torch.zeros(1))

    def forward(self, u, i):
        return (self.user_emb(u) * self.item_emb(i)).sum(-1) + self.bias


def rmse(model, ds):
    model.eval()
    with torch.no_grad():
        return (model(ds.u, ds.i) - ds.r).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(0)
    u, i, r = simulate()
    cut = 7500
    train, test = Ratings(u[:cut], i[:cut], r[:cut]), Ratings(u[cut:], i[cut:], r[cut:])
    loader = DataLoader(train, batch_size=256, shuffle=True)
    model = Factorizer(150, 150)
    opt = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-5)
    loss_fn = nn.MSELoss()
    for epoch in range(20):
        model.train()
        for ub, ib, rb in loader:
            loss = loss_fn(model(ub, ib), rb)
            opt.zero_grad()
            loss.backward()
            opt.step()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1} train rmse {rmse(model, train):.3f} test rmse {rmse(model, test):.3f}")
    print(f"test rmse {rmse(model, test):.3f} (std of ratings {r.std():.3f})")


if __name__ == "__main__":
    main()
