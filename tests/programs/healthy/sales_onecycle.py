"""Sales with a one-cycle schedule.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(27)
rng = np.random.default_rng(27)

N_STORES, WEEKS, LAGS = 30, 120, 8
level = rng.uniform(4, 9, size=(N_STORES, 1))
season = rng.uniform(0, 2 * np.pi, size=(N_STORES, 1))
w = np.arange(WEEKS)
sales = np.exp(level + 0.5 * np.sin(2 * np.pi * w / 26 + season) + 0.05 * rng.normal(size=(N_STORES, WEEKS)))
logs = np.log(sales)
CUT = 96
mean, std = logs[:, :CUT].mean(), logs[:, :CUT].std()
norm = ((logs - mean) / std).astype("float32")


class Lagged(Dataset):
    def __init__(self, first, last):
        self.rows = [(s, t) for t in range(first, last) for s in range(N_STORES)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        s, t = self.rows[i]
        return torch.from_numpy(norm[s, t - LAGS:t]), s, norm[s, t]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.store = nn.Embedding(N_STORES, 4)
        self.mlp = nn.Sequential(nn.Linear(LAGS + 4, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, lags, store):
        last = lags[:, -1]
        z = torch.cat([(lags - last[:, None]) * 5, self.store(store)], dim=1)
        return last + 0.2 * self.mlp(z).squeeze(1)


EPOCHS = 10
train = DataLoader(Lagged(LAGS, CUT), batch_size=64, shuffle=True)
valid = DataLoader(Lagged(CUT, WEEKS), batch_size=256, shuffle=False)
net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=5e-3, total_steps=EPOCHS * len(train))
huber = nn.HuberLoss(delta=0.1)

for epoch in range(EPOCHS):
    net.train()
    tot = 0.0
    for lags, store, target in train:
        opt.zero_grad()
        loss = huber(net(lags, store), target)
        loss.backward()
        opt.step()
        sched.step()
        tot += loss.item()
    net.eval()
    err, naive, n = 0.0, 0.0, 0
    with torch.no_grad():
        for lags, store, target in valid:
            real = torch.exp(target * std + mean)
            err += (torch.exp(net(lags, store) * std + mean) / real - 1).abs().sum().item()
            naive += (torch.exp(lags[:, -1] * std + mean) / real - 1).abs().sum().item()
            n += len(target)
    print(f"epoch {epoch + 1:2d} train {tot / len(train):.5f} valid MAPE {100 * err / n:.2f}% (naive {100 * naive / n:.2f}%)")
