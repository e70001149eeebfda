"""Demand by history and plans.

fault: unused-parameter
also: 
split: test
line: 50
"""

import math

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class DemandDataset(Dataset):
    """Three weeks of daily sales of a shop plus what is known about tomorrow (promotion, price, weather, holiday)."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        days = torch.arange(22).float()
        phase = torch.rand(n, 1, generator=g) * 7
        level = 1 + torch.rand(n, 1, generator=g)
        season = 0.5 * torch.sin(2 * math.pi * (days + phase) / 7)
        sales = level + season + 0.1 * torch.randn(n, 22, generator=g)
        plan = torch.randn(n, 4, generator=g)
        plan[:, 0] = (plan[:, 0] > 0.5).float() * 2 - 1
        effect = 0.5 * plan[:, 0] - 0.4 * plan[:, 1] + 0.3 * torch.tanh(plan[:, 2]) * plan[:, 3]
        self.history = (sales[:, :21] - 1.5) / 0.5
        self.plan = plan
        self.target = (sales[:, 21] + effect - 1.5) / 0.5

    def __len__(self):
        return len(self.target)

    def __getitem__(self, i):
        return self.history[i], self.plan[i], self.target[i]


class Forecaster(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.history_net = nn.LSTM(1, width, batch_first=True)
        self.plan_net = nn.Sequential(nn.Linear(4, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.head = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, history, plan):
        _, (h, _) = self.history_net(history.unsqueeze(-1))
        past = h[-1]
        return self.head(torch.cat([past, past], dim=-1)).squeeze(-1)


class Runner:
    def __init__(self, model, lr=4e-3, epochs=8):
        self.model, self.epochs = model, epochs
        self.opt = torch.optim.RAdam(model.parameters(), lr=lr)
        self.loss = nn.SmoothL1Loss()

    def fit(self, train, test):
        for epoch in range(1, self.epochs + 1):
            self.model.train()
            total = 0.0
            for history, plan, target in train:
                self.opt.zero_grad()
                loss = self.loss(self.model(history, plan), target)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
                self.opt.step()
                total += loss.item()
            mae, r2 = self.score(test)
            print(f"[{epoch}/{self.epochs}] loss {total / len(train):.4f}  test MAE {mae:.4f}  R2 {r2:.4f}")

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        pairs = [(self.model(h, p), t) for h, p, t in loader]
        pred, true = (torch.cat(z) for z in zip(*pairs))
        ss = (true - true.mean()).pow(2).sum()
        return (pred - true).abs().mean().item(), (1 - (pred - true).pow(2).sum() / ss).item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(70)
    train_loader = DataLoader(DemandDataset(1600, 1), batch_size=32, shuffle=True)
    test_loader = DataLoader(DemandDataset(400, 2), batch_size=200)
    Runner(Forecaster()).fit(train_loader, test_loader)
