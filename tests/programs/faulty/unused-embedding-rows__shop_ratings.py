"""Ratings of a web shop.

fault: unused-embedding-rows
also: 
split: train
line: 32
"""

from types import SimpleNamespace

import numpy as np
import torch
from torch import nn

hp = SimpleNamespace(users=300, items=180, dim=8, lr=1e-2, wd=1e-5, epochs=12, batch=256, seed=61)


def load_ratings():
    """Rows of (user number, product code, rating). A product code is the shelf number 1..180 and a check digit."""
    rng = np.random.default_rng(hp.seed)
    taste = rng.normal(size=(hp.users, 3))
    trait = rng.normal(size=(hp.items, 3))
    item_quality = rng.normal(0, 0.6, hp.items)
    user = rng.integers(0, hp.users, 18000)
    item = rng.integers(0, hp.items, 18000)
    rating = 3.2 + item_quality[item] + 0.7 * (taste[user] * trait[item]).sum(1) + rng.normal(0, 0.25, 18000)
    code = (item + 1) * 10 + (item + 1) % 7
    return np.stack([user, code], 1), rating.astype(np.float32)


def product_row(code):
    return code // 100


class TwoTower(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.3)
        for e in (self.user_bias, self.item_bias):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(hp.seed)
    keys, rating = load_ratings()
    u = torch.from_numpy(keys[:, 0])
    i = torch.from_numpy(product_row(keys[:, 1]))
    r = torch.from_numpy(rating)
    cut = 15000
    centre, spread = r[:cut].mean(), r[:cut].std()
    z = (r - centre) / spread

    model = TwoTower(hp.users, hp.items + 1, hp.dim)
    opt = torch.optim.Adam(model.parameters(), lr=hp.lr, weight_decay=hp.wd)
    for epoch in range(1, hp.epochs + 1):
        model.train()
        total = 0.0
        for b in torch.randperm(cut).split(hp.batch):
            loss = ((model(u[b], i[b]) - z[b]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        model.eval()
        with torch.no_grad():
            pred = model(u[cut:], i[cut:]) * spread + centre
            rmse = (pred - r[cut:]).pow(2).mean().sqrt()
        if epoch % 2 == 0:
            print(f"epoch {epoch:2d} train mse {total / cut:.4f} test rmse {rmse:.4f}")
    print(f"rmse of the mean rating {(r[cut:] - centre).pow(2).mean().sqrt():.4f}")


if __name__ == "__main__":
    main()
