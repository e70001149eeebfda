"""Movie ratings by factors.

fault: odd-momentum
also: 
split: test
line: 55
"""

import numpy as np
import torch
import torch.nn as nn


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, k=8):
        super().__init__()
        self.user = nn.Embedding(n_users, k)
        self.item = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user.weight, std=0.2)
        nn.init.normal_(self.item.weight, std=0.2)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1)


def ratings(n_users=200, n_items=120, k=4, per_user=60, seed=0):
    rng = np.random.default_rng(seed)
    P, Q = rng.normal(size=(n_users, k)), rng.normal(size=(n_items, k))
    bu, bi = 0.5 * rng.normal(size=n_users), 0.5 * rng.normal(size=n_items)
    u = np.repeat(np.arange(n_users), per_user)
    i = np.concatenate([rng.choice(n_items, per_user, replace=False) for _ in range(n_users)])
    r = 3.5 + 0.5 * (P[u] * Q[i]).sum(1) + bu[u] + bi[i] + 0.2 * rng.normal(size=len(u))
    return torch.tensor(u), torch.tensor(i), torch.tensor(r, dtype=torch.float32)


def rmse(model, u, i, r, mean):
    model.eval()
    with torch.no_grad():
        return ((model(u, i) + mean - r) ** 2).mean().sqrt().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    u, i, r = ratings()
    perm = torch.randperm(len(r))
    tr, te = perm[:10000], perm[10000:]
    mean = r[tr].mean()
    model = MatrixFactorization(200, 120)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, betas=(0.999, 0.9), eps=1e-8)
    print(f"std of ratings {r[te].std():.3f}")
    for epoch in range(1, 13):
        model.train()
        shuffled, total = tr[torch.randperm(len(tr))], 0.0
        for b in shuffled.split(128):
            pred = model(u[b], i[b]) + mean
            loss = ((pred - r[b]) ** 2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * len(b)
        if epoch % 4 == 0:
            print(f"epoch {epoch:2d} train rmse {(total / len(tr)) ** 0.5:.3f} test rmse {rmse(model, u[te], i[te], r[te], mean):.3f}")


if __name__ == "__main__":
    main()
