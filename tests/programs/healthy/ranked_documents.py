"""Documents are ranked by pairs.

split: test
"""

from dataclasses import dataclass, field

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class OptimConfig:
    lr: float = 2e-3
    weight_decay: float = 1e-4
    betas: tuple = (0.9, 0.999)


@dataclass
class Experiment:
    queries: int = 300
    docs: int = 12
    features: int = 15
    hidden: int = 48
    epochs: int = 10
    queries_per_step: int = 8
    optim: OptimConfig = field(default_factory=OptimConfig)


def simulate(exp, seed):
    r = np.random.RandomState(seed)
    x = r.randn(exp.queries, exp.docs, exp.features)
    s = x[..., 0] * x[..., 1] + np.sin(2 * x[..., 2]) + 0.7 * x[..., 3] + 0.1 * r.randn(exp.queries, exp.docs)
    rel = np.digitize(s, [-0.5, 0.5, 1.5, 2.5])
    return torch.tensor(x, dtype=torch.float32), torch.tensor(rel)


class Scorer(nn.Module):
    def __init__(self, exp):
        super().__init__()
        self.l1 = nn.Linear(exp.features, exp.hidden)
        self.l2 = nn.Linear(exp.hidden, exp.hidden)
        self.l3 = nn.Linear(exp.hidden, 1)

    def forward(self, x):
        return self.l3(F.relu(self.l2(F.relu(self.l1(x))))).squeeze(-1)


def ranknet_loss(s, rel):
    diff = s.unsqueeze(2) - s.unsqueeze(1)
    better = (rel.unsqueeze(2) > rel.unsqueeze(1)).float()
    return (F.softplus(-diff) * better).sum() / better.sum().clamp(min=1)


def ndcg(s, rel, k=5):
    gain = 2.0 ** rel.float() - 1
    disc = 1 / torch.log2(torch.arange(k).float() + 2)
    got = gain.gather(1, s.argsort(1, descending=True))[:, :k]
    best = gain.sort(1, descending=True).values[:, :k]
    ideal = (best * disc).sum(1)
    keep = ideal > 0
    return ((got * disc).sum(1)[keep] / ideal[keep]).mean().item()


def main():
    exp = Experiment()
    torch.manual_seed(10)
    xtr, rtr = simulate(exp, 0)
    xte, rte = simulate(exp, 1)
    model = Scorer(exp)
    o = exp.optim
    opt = torch.optim.Adam(model.parameters(), lr=o.lr, betas=o.betas, weight_decay=o.weight_decay)
    for epoch in range(exp.epochs):
        model.train()
        log = []
        for q in torch.randperm(exp.queries).split(exp.queries_per_step):
            loss = ranknet_loss(model(xtr[q]), rtr[q])
            opt.zero_grad()
            loss.backward()
            opt.step()
            log.append(loss.item())
        model.eval()
        with torch.no_grad():
            print(f"epoch {epoch + 1:2d} pair loss {np.mean(log):.4f} ndcg@5 train {ndcg(model(xtr), rtr):.4f} test {ndcg(model(xte), rte):.4f}")


if __name__ == "__main__":
    main()
