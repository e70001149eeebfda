"""Ratings of movies.

fault: excessive-weight-decay
also: 
split: test
line: 59
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Ratings(Dataset):
    def __init__(self, users, items, stars):
        self.users, self.items, self.stars = users, items, stars

    def __len__(self):
        return len(self.stars)

    def __getitem__(self, i):
        return self.users[i], self.items[i], self.stars[i]

    def __getitems__(self, idx):
        idx = torch.tensor(idx)
        return list(zip(self.users[idx], self.items[idx], self.stars[idx]))


def synthetic(n_users=200, n_items=120, n=12000, rank=4):
    u_vec, i_vec = torch.randn(n_users, rank), torch.randn(n_items, rank)
    u_bias, i_bias = 0.4 * torch.randn(n_users), 0.5 * torch.randn(n_items)
    pairs = torch.randperm(n_users * n_items)[:n]
    u, i = pairs // n_items, pairs % n_items
    r = 3.4 + u_bias[u] + i_bias[i] + 0.5 * (u_vec[u] * i_vec[i]).sum(1) + 0.2 * torch.randn(n)
    return u, i, r.clamp(0.5, 5.0)


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.user, self.item = nn.Embedding(n_users, dim), nn.Embedding(n_items, dim)
        self.user_b, self.item_b = nn.Embedding(n_users, 1), nn.Embedding(n_items, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.user_b, self.item_b):
            nn.init.zeros_(e.weight)
        self.register_buffer("mean", torch.tensor(mean))

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return self.mean + dot + self.user_b(u).squeeze(-1) + self.item_b(i).squeeze(-1)


class Trainer:
    def __init__(self, model, train, valid, epochs):
        self.model, self.epochs = model, epochs
        self.train_dl = DataLoader(train, batch_size=256, shuffle=True)
        self.valid = valid
        self.opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=0.1)
        self.loss_fn = nn.MSELoss()

    def rmse(self):
        self.model.eval()
        with torch.no_grad():
            pred = self.model(self.valid.users, self.valid.items)
        return (pred - self.valid.stars).pow(2).mean().sqrt().item()

    def fit(self):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            losses = []
            for u, i, r in self.train_dl:
                loss = self.loss_fn(self.model(u, i), r)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                losses.append(loss.item())
            print(f"[{epoch:02d}] mse {sum(losses) / len(losses):.4f} valid rmse {self.rmse():.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    u, i, r = synthetic()
    cut = 10500
    train = Ratings(u[:cut], i[:cut], r[:cut])
    valid = Ratings(u[cut:], i[cut:], r[cut:])
    print(f"predicting the mean gives rmse {(valid.stars - train.stars.mean()).pow(2).mean().sqrt():.4f}")
    Trainer(BiasedMF(200, 120, 8, train.stars.mean().item()), train, valid, epochs=16).fit()
