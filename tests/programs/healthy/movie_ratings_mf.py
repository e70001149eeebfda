"""Matrix factorisation with biases for explicit movie ratings.

split: test
"""
import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, dim, mean):
        super().__init__()
        self.P = nn.Embedding(n_users, dim)
        self.Q = nn.Embedding(n_items, dim)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.register_buffer("mean", torch.tensor(mean))
        for e in (self.P, self.Q):
            nn.init.normal_(e.weight, std=0.1)
        for e in (self.bu, self.bi):
            nn.init.zeros_(e.weight)

    def forward(self, u, i):
        return (self.P(u) * self.Q(i)).sum(-1) + self.bu(u).squeeze(-1) + self.bi(i).squeeze(-1) + self.mean


def simulate(n_users=400, n_items=250, dim=4, n_ratings=28000, seed=0):
    g = torch.Generator().manual_seed(seed)
    p = torch.randn(n_users, dim, generator=g) * 0.6
    q = torch.randn(n_items, dim, generator=g) * 0.6
    bu = torch.randn(n_users, generator=g) * 0.3
    bi = torch.randn(n_items, generator=g) * 0.5
    cell = torch.randperm(n_users * n_items, generator=g)[:n_ratings]
    u, i = cell // n_items, cell % n_items
    r = 3.4 + (p[u] * q[i]).sum(1) + bu[u] + bi[i] + 0.25 * torch.randn(n_ratings, generator=g)
    return u, i, r.clamp(1, 5)


def rmse(model, loader):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for u, i, r in loader:
            se += (model(u, i).clamp(1, 5) - r).pow(2).sum().item()
            n += len(r)
    return math.sqrt(se / n)


def main(args):
    torch.manual_seed(args.seed)
    ds = TensorDataset(*simulate(seed=args.seed))
    train, valid, test = random_split(ds, [22000, 3000, 3000])
    mean = ds.tensors[2][train.indices].mean().item()
    base = (ds.tensors[2][test.indices] - mean).pow(2).mean().sqrt().item()
    tl = DataLoader(train, batch_size=args.batch, shuffle=True)
    vl, sl = DataLoader(valid, batch_size=3000), DataLoader(test, batch_size=3000)
    model = BiasedMF(400, 250, args.dim, mean)
    opt = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=args.wd)
    for ep in range(args.epochs):
        model.train()
        tot = 0.0
        for u, i, r in tl:
            loss = nn.functional.mse_loss(model(u, i), r)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(r)
        print(f"epoch {ep + 1:2d} train mse {tot / len(train):.4f} valid rmse {rmse(model, vl):.4f}")
    print(f"test rmse {rmse(model, sl):.4f}, global-mean baseline {base:.4f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", type=int, default=6)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--wd", type=float, default=2e-5)
    ap.add_argument("--batch", type=int, default=256)
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--seed", type=int, default=0)
    main(ap.parse_args())
