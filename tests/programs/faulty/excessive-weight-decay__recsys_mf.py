"""Ratings by factors of users and things.

fault: excessive-weight-decay
also:
split: test
line: 60, 62
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Ratings(Dataset):
    def __init__(self, users, items, ratings):
        self.users = torch.as_tensor(users)
        self.items = torch.as_tensor(items)
        self.ratings = torch.as_tensor(ratings, dtype=torch.float32)

    def __len__(self):
        return len(self.ratings)

    def __getitem__(self, i):
        return self.users[i], self.items[i], self.ratings[i]


def generate(n_users=200, n_items=150, rank=4, per_user=60, seed=0):
    rng = np.random.default_rng(seed)
    u, v = rng.normal(size=(n_users, rank)), rng.normal(size=(n_items, rank))
    bu, bi = 0.3 * rng.normal(size=n_users), 0.4 * rng.normal(size=n_items)
    users = np.repeat(np.arange(n_users), per_user)
    items = np.concatenate([rng.choice(n_items, per_user, replace=False) for _ in range(n_users)])
    score = 3.0 + bu[users] + bi[items] + 0.45 * (u[users] * v[items]).sum(1)
    ratings = np.clip(score + 0.15 * rng.normal(size=len(users)), 0.5, 5.5)
    order = rng.permutation(len(users))
    return users[order], items[order], ratings[order].astype(np.float32)


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, dim)
        self.item_emb = nn.Embedding(n_items, dim)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for emb in (self.user_emb, self.item_emb):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, users, items):
        dot = (self.user_emb(users) * self.item_emb(items)).sum(-1)
        bias = self.user_bias(users).squeeze(-1) + self.item_bias(items).squeeze(-1)
        return self.mean + bias + dot


class Recommender:
    def __init__(self, n_users, n_items, mean, dim=6, lr=1e-2, weight_decay=1e-1):
        self.model = MatrixFactorization(n_users, n_items, dim, mean)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr, weight_decay=weight_decay)
        self.loss_fn = nn.MSELoss()

    def fit(self, loader, val_loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            total = 0.0
            for users, items, ratings in loader:
                self.optimizer.zero_grad()
                loss = self.loss_fn(self.model(users, items), ratings)
                loss.backward()
                self.optimizer.step()
                total += loss.item() * len(ratings)
            if epoch % 5 == 0:
                print(f"epoch {epoch:2d} mse {total / len(loader.dataset):.4f} val_rmse {self.rmse(val_loader):.4f}")

    @torch.no_grad()
    def rmse(self, loader):
        self.model.eval()
        se = sum(((self.model(u, i) - r) ** 2).sum().item() for u, i, r in loader)
        return (se / len(loader.dataset)) ** 0.5


def main():
    torch.manual_seed(42)
    users, items, ratings = generate(seed=42)
    cut = int(0.85 * len(ratings))
    train = Ratings(users[:cut], items[:cut], ratings[:cut])
    val = Ratings(users[cut:], items[cut:], ratings[cut:])
    rec = Recommender(200, 150, mean=float(ratings[:cut].mean()))
    val_loader = DataLoader(val, batch_size=600)
    rec.fit(DataLoader(train, batch_size=256, shuffle=True), val_loader, epochs=30)
    print(f"final val RMSE (lower is better): {rec.rmse(val_loader):.4f}")


if __name__ == "__main__":
    main()
