"""Matrix factorisation for film ratings.

fault: constant-init
also:
split: test
line: 33
"""
import torch
import torch.nn as nn


def ratings_table(users=300, films=200, rank=4, density=0.3, seed=0):
    g = torch.Generator().manual_seed(seed)
    u = torch.randn(users, rank, generator=g)
    f = torch.randn(films, rank, generator=g)
    bu = 0.3 * torch.randn(users, 1, generator=g)
    bf = 0.4 * torch.randn(1, films, generator=g)
    full = 3.2 + bu + bf + 0.45 * (u @ f.t()) + 0.2 * torch.randn(users, films, generator=g)
    seen = torch.rand(users, films, generator=g) < density
    pairs = seen.nonzero()
    stars = full[seen].clamp(0.5, 5.5)
    return pairs[:, 0], pairs[:, 1], stars


class Factors(nn.Module):
    def __init__(self, users, films, dim, mean):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.film = nn.Embedding(films, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.film_bias = nn.Embedding(films, 1)
        self.mean = nn.Parameter(torch.tensor(mean))
        nn.init.zeros_(self.user.weight)
        nn.init.zeros_(self.film.weight)
        nn.init.zeros_(self.user_bias.weight)
        nn.init.zeros_(self.film_bias.weight)

    def forward(self, u, f):
        dot = (self.user(u) * self.film(f)).sum(-1)
        return self.mean + self.user_bias(u).squeeze(-1) + self.film_bias(f).squeeze(-1) + dot


def rmse(model, u, f, r):
    with torch.no_grad():
        return (model(u, f) - r).pow(2).mean().sqrt().item()


torch.manual_seed(0)
u, f, r = ratings_table()
perm = torch.randperm(len(r))
cut = int(0.85 * len(r))
tr, te = perm[:cut], perm[cut:]
print(f"{len(tr)} training ratings, {len(te)} held out, std {r[te].std():.3f}")

model = Factors(300, 200, 4, r[tr].mean().item())
opt = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=0.02)
for epoch in range(25):
    total = 0.0
    for idx in tr[torch.randperm(len(tr))].split(128):
        loss = (model(u[idx], f[idx]) - r[idx]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(idx)
    if epoch % 4 == 0 or epoch == 24:
        print(f"epoch {epoch:2d}  train rmse {(total / len(tr)) ** 0.5:.4f}  test rmse {rmse(model, u[te], f[te], r[te]):.4f}")
print(f"score (rmse) {rmse(model, u[te], f[te], r[te]):.4f}")
