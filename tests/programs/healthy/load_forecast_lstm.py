"""Next-hour electricity load forecast with an LSTM; chronological split.

split: test
"""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Config:
    window: int = 48
    hidden: int = 32
    lr: float = 5e-3
    batch_size: int = 64
    epochs: int = 8
    seed: int = 3


def simulate_load(hours, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    day = 10 * np.sin(2 * np.pi * (t - 7) / 24) + 4 * np.sin(4 * np.pi * t / 24)
    week = np.where((t // 24) % 7 >= 5, -6.0, 0.0)
    noise = np.zeros(hours)
    for i in range(1, hours):
        noise[i] = 0.9 * noise[i - 1] + rng.normal(0, 0.7)
    return (50 + day + week + noise).astype(np.float32)


class WindowDataset(Dataset):
    def __init__(self, series, window):
        self.series, self.window = torch.as_tensor(series), window

    def __len__(self):
        return len(self.series) - self.window

    def __getitem__(self, i):
        return self.series[i:i + self.window].unsqueeze(-1), self.series[i + self.window]


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1]).squeeze(-1)


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg.seed)
        series = simulate_load(24 * 150, cfg.seed)
        a, b = 24 * 110, 24 * 130
        self.mu, self.sd = series[:a].mean(), series[:a].std()
        z = (series - self.mu) / self.sd
        self.train_dl = DataLoader(WindowDataset(z[:a], cfg.window), cfg.batch_size, shuffle=True)
        self.val_dl = DataLoader(WindowDataset(z[a:b], cfg.window), 256)
        self.test_dl = DataLoader(WindowDataset(z[b:], cfg.window), 256)
        self.model = Forecaster(cfg.hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg.epochs)
        self.loss = nn.MSELoss()

    @torch.no_grad()
    def rmse(self, loader):
        self.model.eval()
        err = [(self.model(x) - y) for x, y in loader]
        return torch.cat(err).pow(2).mean().sqrt().item() * float(self.sd)

    def fit(self):
        for epoch in range(self.cfg.epochs):
            self.model.train()
            losses = []
            for x, y in self.train_dl:
                self.opt.zero_grad()
                loss = self.loss(self.model(x), y)
                loss.backward()
                nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.opt.step()
                losses.append(loss.item())
            self.sched.step()
            print(f"epoch {epoch + 1}: train mse {np.mean(losses):.4f}, val rmse {self.rmse(self.val_dl):.3f} MW")

    @torch.no_grad()
    def persistence(self):
        err = [(x[:, -1, 0] - y) for x, y in self.test_dl]
        return torch.cat(err).pow(2).mean().sqrt().item() * float(self.sd)


if __name__ == "__main__":
    trainer = Trainer(Config())
    trainer.fit()
    print(f"test rmse {trainer.rmse(trainer.test_dl):.3f} MW (persistence {trainer.persistence():.3f} MW)")
