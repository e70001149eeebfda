"""Trains portfolio weights end to end on the negative Sharpe ratio.

split: test
"""
import math
import torch
from torch import nn

torch.manual_seed(57)
torch.set_num_threads(1)
DAYS, ASSETS = 2600, 6
signal = torch.zeros(DAYS, ASSETS)
for t in range(1, DAYS):
    signal[t] = 0.8 * signal[t - 1] + 0.6 * torch.randn(ASSETS)
rets = 0.0002 + 0.002 * torch.tanh(signal) + 0.01 * torch.randn(DAYS, ASSETS)
obs = signal + 0.3 * torch.randn(DAYS, ASSETS)
cut = 2000

policy = nn.Sequential(nn.Linear(ASSETS, 32), nn.Tanh(), nn.Linear(32, ASSETS), nn.Tanh())
opt = torch.optim.Adam(policy.parameters(), lr=2e-3)


def sharpe(x, r):
    w = policy(x)
    pnl = (w * r).sum(1) / ASSETS
    return pnl.mean() / (pnl.std() + 1e-8) * math.sqrt(252)


for ep in range(12):
    for b in torch.randperm(cut).split(250):
        loss = -sharpe(obs[b], rets[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 3 == 2:
        with torch.no_grad():
            print(f"epoch {ep + 1} loss {loss.item():.3f} train Sharpe {sharpe(obs[:cut], rets[:cut]):.3f} "
                  f"out-of-sample Sharpe {sharpe(obs[cut:], rets[cut:]):.3f}")
