"""Hourly counts with a Poisson network and calendar embeddings.

split: test
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(55)
torch.set_num_threads(1)
rng = np.random.default_rng(55)

days = 300
hour = np.tile(np.arange(24), days)
dow = np.repeat(np.arange(days) % 7, 24)
temp = 12 + 10 * np.sin(2 * np.pi * np.repeat(np.arange(days), 24) / 300) + rng.normal(0, 3, days * 24)
rain = (rng.random(days * 24) < 0.12).astype(float)
work = dow < 5
rate = 0.8 + 2.2 * np.exp(-((hour - 8) / 1.8) ** 2) * work + 2.0 * np.exp(-((hour - 17.5) / 2.2) ** 2) \
    + 1.2 * np.exp(-((hour - 14) / 4.0) ** 2) * ~work + 0.03 * temp - 0.9 * rain - 0.9 * (hour < 5)
count = rng.poisson(np.exp(rate))

cont = np.stack([temp, rain], 1)
order = rng.permutation(len(count))
tr, te = order[:5500], order[5500:]
cont = (cont - cont[tr].mean(0)) / cont[tr].std(0)
H, W = torch.tensor(hour), torch.tensor(dow)
Cn, Y = torch.tensor(cont, dtype=torch.float32), torch.tensor(count, dtype=torch.float32)


class CountNet(nn.Module):
    def __init__(self, base_rate):
        super().__init__()
        self.h = nn.Embedding(24, 8)
        self.w = nn.Embedding(7, 4)
        self.mlp = nn.Sequential(nn.Linear(14, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 1))
        nn.init.constant_(self.mlp[-1].bias, float(np.log(base_rate)))

    def forward(self, h, w, c):
        return self.mlp(torch.cat([self.h(h), self.w(w), c], 1)).squeeze(1)


def deviance(y, mu):
    return 2 * (torch.xlogy(y, y / mu) - (y - mu)).mean().item()


net = CountNet(count[tr].mean())
lossf = nn.PoissonNLLLoss(log_input=True)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
loader = DataLoader(TensorDataset(H[tr], W[tr], Cn[tr], Y[tr]), batch_size=100, shuffle=True)
for epoch in range(12):
    net.train()
    tot = 0.0
    for h, w, c, yb in loader:
        loss = lossf(net(h, w, c), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(yb)
    if epoch == 8:
        for g in opt.param_groups:
            g["lr"] *= 0.2
    net.eval()
    with torch.no_grad():
        mu = net(H[te], W[te], Cn[te]).exp()
    print(f"epoch {epoch + 1:2d} nll {tot / len(tr):.3f} test deviance {deviance(Y[te], mu):.3f}")

const = Y[tr].mean().expand(len(te))
print(f"constant-rate deviance {deviance(Y[te], const):.2f}, explained {1 - deviance(Y[te], mu) / deviance(Y[te], const):.3f}")
