"""A recommender of implicit feedback, trained by pairs.

split: test
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class Settings:
    users: int = 200
    items: int = 150
    factors: int = 8
    lr: float = 0.02
    batch: int = 512
    epochs: int = 25
    l2: float = 1e-5


def simulate(cfg, seed=0):
    rng = np.random.default_rng(seed)
    taste = rng.normal(size=(cfg.users, 3))
    genre = rng.normal(size=(cfg.items, 3))
    affinity = 1.6 * taste @ genre.T + 0.4 * rng.normal(size=cfg.items)
    p = np.exp(affinity - affinity.max(1, keepdims=True))
    p /= p.sum(1, keepdims=True)
    train, test = [], []
    for u in range(cfg.users):
        liked = rng.choice(cfg.items, 25, replace=False, p=p[u])
        train += [(u, i) for i in liked[:20]]
        test += [(u, i) for i in liked[20:]]
    return np.array(train), np.array(test)


class BPRModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tables = nn.ModuleDict({
            "user": nn.Embedding(cfg.users, cfg.factors),
            "item": nn.Embedding(cfg.items, cfg.factors),
        })
        self.item_bias = nn.Embedding(cfg.items, 1)
        for table in self.tables.values():
            nn.init.normal_(table.weight, std=0.1)
        nn.init.zeros_(self.item_bias.weight)

    def forward(self, u, i):
        pu, qi = self.tables["user"](u), self.tables["item"](i)
        return (pu * qi).sum(-1) + self.item_bias(i).squeeze(-1)


@torch.no_grad()
def auc_and_hits(model, cfg, train, test, k=10):
    scores = model(torch.arange(cfg.users).repeat_interleave(cfg.items),
                   torch.arange(cfg.items).repeat(cfg.users)).view(cfg.users, cfg.items).numpy()
    seen = np.zeros((cfg.users, cfg.items), bool)
    seen[train[:, 0], train[:, 1]] = True
    aucs, hits = [], []
    for u, i in test:
        rest = scores[u][~seen[u]]
        rank = (rest > scores[u, i]).sum()
        aucs.append(1 - rank / len(rest))
        hits.append(rank < k)
    return np.mean(aucs), np.mean(hits)


if __name__ == "__main__":
    cfg = Settings()
    torch.manual_seed(0)
    rng = np.random.default_rng(1)
    train, test = simulate(cfg)
    positives = set(map(tuple, train))
    model = BPRModel(cfg)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=cfg.l2)
    for epoch in range(1, cfg.epochs + 1):
        rng.shuffle(train)
        losses = []
        for s in range(0, len(train), cfg.batch):
            chunk = train[s:s + cfg.batch]
            neg = rng.integers(0, cfg.items, len(chunk))
            neg = [j if (u, j) not in positives else rng.integers(0, cfg.items) for (u, _), j in zip(chunk, neg)]
            u, i, j = (torch.as_tensor(np.asarray(a)) for a in (chunk[:, 0], chunk[:, 1], neg))
            loss = -F.logsigmoid(model(u, i) - model(u, j)).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        if epoch % 5 == 0:
            auc, hit = auc_and_hits(model, cfg, train, test)
            print(f"epoch {epoch:2d}  bpr loss {np.mean(losses):.4f}  test AUC {auc:.3f}  hit@10 {hit:.3f}")
