"""Survival times by a net for the risk.

fault: wrong-loss-sign
also: 
split: train
line: 44
"""

import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Cohort:
    x: torch.Tensor
    time: torch.Tensor
    event: torch.Tensor


def simulate(n, gen):
    x = torch.randn(n, 10, generator=gen)
    risk = 0.9 * x[:, 0] - 0.7 * x[:, 1] + 0.6 * x[:, 2] * x[:, 3] + 0.5 * x[:, 4].abs()
    u = torch.rand(n, generator=gen).clamp_min(1e-6)
    t = (-u.log() / (0.1 * risk.exp())) ** 0.8
    c = torch.rand(n, generator=gen) * 20 + 1
    return Cohort(x, torch.minimum(t, c), (t <= c).float())


class RiskNet(nn.Module):
    def __init__(self, d_in, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_in, width), nn.SELU(), nn.Linear(width, width), nn.SELU(),
            nn.Linear(width, 1, bias=False))

    def forward(self, x):
        return self.net(x).squeeze(-1)


def cox_loss(score, time, event):
    order = torch.argsort(time)
    score, event = score[order], event[order]
    log_risk = torch.logcumsumexp(score, dim=0)
    return -((score - log_risk) * event).sum() / event.sum().clamp_min(1.0)


@torch.no_grad()
def concordance(score, time, event):
    earlier = (time[:, None] < time[None, :]) & (event[:, None] > 0)
    good = (score[:, None] > score[None, :]) & earlier
    return (good.sum() / earlier.sum()).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=15)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed)
    train, test = simulate(3000, gen), simulate(800, gen)
    model = RiskNet(10, 48)
    opt = torch.optim.RMSprop(model.parameters(), lr=args.lr, weight_decay=1e-4)
    for epoch in range(args.epochs):
        model.train()
        total, steps = 0.0, 0
        for idx in torch.randperm(len(train.time)).split(args.batch):
            opt.zero_grad()
            loss = cox_loss(model(train.x[idx]), train.time[idx], train.event[idx])
            loss.backward()
            opt.step()
            total, steps = total + loss.item(), steps + 1
        model.eval()
        with torch.no_grad():
            c = concordance(model(test.x), test.time, test.event)
        print(f"epoch {epoch:2d} partial likelihood {total / steps:.4f} test c-index {c:.3f}")


if __name__ == "__main__":
    main()
