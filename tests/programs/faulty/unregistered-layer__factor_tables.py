"""Ratings out of factors of users, items and contexts.

fault: unregistered-layer
also:
split: test
line: 50
"""

# factorisation model for explicit ratings (synthetic marketplace)
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--users", type=int, default=300)
    p.add_argument("--items", type=int, default=200)
    p.add_argument("--contexts", type=int, default=6)
    p.add_argument("--rank", type=int, default=8)
    p.add_argument("--n", type=int, default=24000)
    p.add_argument("--bs", type=int, default=256)
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--lr", type=float, default=1e-2)
    return p.parse_args()


def simulate(args):
    g = torch.Generator().manual_seed(11)
    U = torch.randn(args.users, 3, generator=g)
    V = torch.randn(args.items, 3, generator=g)
    C = torch.randn(args.contexts, 3, generator=g) * 0.5
    u = torch.randint(args.users, (args.n,), generator=g)
    i = torch.randint(args.items, (args.n,), generator=g)
    c = torch.randint(args.contexts, (args.n,), generator=g)
    r = (U[u] * V[i]).sum(1) + (V[i] * C[c]).sum(1) + (U[u] * C[c]).sum(1)
    r = 3.0 + r / r.std() + 0.1 * torch.randn(args.n, generator=g)
    return torch.stack([u, i, c], 1), r


class FM(nn.Module):
    """Second order factorisation machine over categorical fields."""

    def __init__(self, field_sizes, rank):
        super().__init__()
        self.offset = nn.Parameter(torch.zeros(1))
        self.linear = nn.ModuleList([nn.Embedding(n, 1) for n in field_sizes])
        self.factors = [nn.Embedding(n, rank) for n in field_sizes]
        for e in self.linear:
            nn.init.zeros_(e.weight)
        for e in self.factors:
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, fields):
        first = sum(e(fields[:, k]) for k, e in enumerate(self.linear)).squeeze(-1)
        v = torch.stack([e(fields[:, k]) for k, e in enumerate(self.factors)], dim=1)
        second = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(-1)
        return self.offset + first + second


def main():
    args = parse()
    torch.manual_seed(0)
    x, r = simulate(args)
    cut = int(0.9 * len(x))
    xtr, rtr, xte, rte = x[:cut], r[:cut], x[cut:], r[cut:]
    net = FM([args.users, args.items, args.contexts], args.rank)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for ep in range(args.epochs):
        net.train()
        order = torch.randperm(cut)
        tot = 0.0
        for idx in order.split(args.bs):
            loss = F.mse_loss(net(xtr[idx]), rtr[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(idx)
        net.eval()
        with torch.no_grad():
            rmse = F.mse_loss(net(xte), rte).sqrt().item()
        print(f"[{ep + 1:2d}/{args.epochs}] train mse {tot / cut:.4f} | test rmse {rmse:.4f}")


main()
