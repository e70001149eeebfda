"""Counts of cars by dilated convolutions.

fault: learning-rate-too-low
also: 
split: train
line: 26
"""

import math
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.optim.lr_scheduler import LambdaLR
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Settings:
    window: int = 32
    horizon: int = 4
    channels: int = 24
    batch_size: int = 64
    epochs: int = 8
    lr: float = 6e-3
    warmup_steps: int = 20000
    momentum: float = 0.9
    seed: int = 31


def traffic_counts(n=3600):
    t = torch.arange(n).float()
    base = torch.sin(2 * math.pi * t / 24) + 0.5 * torch.sin(2 * math.pi * t / 12 + 0.7)
    slow = 0.4 * torch.sin(2 * math.pi * t / 168)
    return base + slow + 0.1 * torch.randn(n)


def windows(series, cfg):
    w = series.unfold(0, cfg.window + cfg.horizon, 1)
    return TensorDataset(w[:, None, : cfg.window].contiguous(), w[:, cfg.window:].contiguous())


class CausalBlock(nn.Module):
    def __init__(self, c_in, c_out, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(c_in, c_out, 3, dilation=dilation)
        self.skip = nn.Conv1d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x):
        h = self.conv(nn.functional.pad(x, (self.pad, 0)))
        return torch.relu(h) + self.skip(x)


class TCN(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        c = cfg.channels
        self.blocks = nn.Sequential(CausalBlock(1, c, 1), CausalBlock(c, c, 2), CausalBlock(c, c, 4), CausalBlock(c, c, 8))
        self.head = nn.Linear(c, cfg.horizon)

    def forward(self, x):
        return self.head(self.blocks(x)[:, :, -1])


def run(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(cfg.seed)
    series = traffic_counts()
    train, test = series[:3000], series[3000:]
    mean, std = train.mean(), train.std()
    train_ds, test_ds = windows((train - mean) / std, cfg), windows((test - mean) / std, cfg)
    loader = DataLoader(train_ds, batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    model = TCN(cfg)
    opt = torch.optim.SGD(model.parameters(), lr=cfg.lr, momentum=cfg.momentum)
    sched = LambdaLR(opt, lambda s: min(1.0, (s + 1) / cfg.warmup_steps))
    x_test, y_test = test_ds.tensors
    for epoch in range(cfg.epochs):
        model.train()
        acc = 0.0
        for x, y in loader:
            loss = nn.functional.mse_loss(model(x), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            sched.step()
            acc += loss.item()
        model.eval()
        with torch.no_grad():
            mse = nn.functional.mse_loss(model(x_test), y_test).item()
        print(f"epoch {epoch + 1:2d} | train mse {acc / len(loader):.4f} | test mse {mse:.4f}")


if __name__ == "__main__":
    run(Settings())
