"""A recurrent forecast of sinusoids.

fault: samples-mixed
also:
split: test
line: 40
"""

import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class SeriesConfig:
    window = 24
    n_train = 2000
    n_test = 500
    hidden = 32
    batch_size = 50
    epochs = 12
    lr = 5e-3


def make_windows(n, window, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(window + 6).float()
    freq = 0.05 + 0.15 * torch.rand(n, 1, generator=g)
    phase = 2 * math.pi * torch.rand(n, 1, generator=g)
    amp = 0.5 + torch.rand(n, 1, generator=g)
    s = amp * torch.sin(2 * math.pi * freq * t + phase)
    s = s + 0.03 * torch.randn(s.shape, generator=g)
    return s[:, :window].unsqueeze(-1), s[:, -1]


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.gru = nn.GRU(input_size=1, hidden_size=hidden, num_layers=1)
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x):
        # x: batch, time, channel
        states, _ = self.gru(x)
        return self.readout(states[:, -1]).squeeze(-1)


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.train_dl = DataLoader(TensorDataset(*make_windows(cfg.n_train, cfg.window, 0)), cfg.batch_size, shuffle=True)
        self.test_dl = DataLoader(TensorDataset(*make_windows(cfg.n_test, cfg.window, 1)), cfg.batch_size)
        self.model = Forecaster(cfg.hidden)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.loss = nn.MSELoss()

    def train_epoch(self):
        self.model.train()
        out = []
        for x, y in self.train_dl:
            l = self.loss(self.model(x), y)
            self.opt.zero_grad()
            l.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            out.append(l.item())
        return sum(out) / len(out)

    @torch.no_grad()
    def test_rmse(self):
        self.model.eval()
        se = sum(((self.model(x) - y) ** 2).sum().item() for x, y in self.test_dl)
        return math.sqrt(se / self.cfg.n_test)

    def run(self):
        for e in range(self.cfg.epochs):
            print(f"epoch {e + 1:2d}: train mse {self.train_epoch():.4f}, test rmse {self.test_rmse():.4f}")


torch.manual_seed(6)
Runner(SeriesConfig).run()
