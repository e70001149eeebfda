"""DeepSurv-style proportional hazards network on simulated patients.

fault: labels-independent-of-inputs
also:
split: train
line: 47
"""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)


def simulate(n, seed):
    g = np.random.default_rng(seed)
    x = g.normal(size=(n, 8)).astype(np.float32)
    risk = 1.2 * x[:, 0] - 0.8 * x[:, 1] + 0.9 * x[:, 2] ** 2 + 0.5 * x[:, 3] * x[:, 4]
    t = g.exponential(np.exp(-risk))
    c = g.exponential(3.0, size=n)
    return x, np.minimum(t, c).astype(np.float32), (t <= c).astype(np.float32)


def cox_ph_loss(log_h, event):
    """Negative partial log likelihood; rows have to be ordered by descending time."""
    log_cum = torch.logcumsumexp(log_h, dim=0)
    return -((log_h - log_cum) * event).sum() / event.sum()


def concordance(t, risk, e):
    num = den = 0.0
    for i in range(len(t)):
        if e[i]:
            later = t > t[i]
            den += later.sum()
            num += (risk[i] > risk[later]).sum() + 0.5 * (risk[i] == risk[later]).sum()
    return num / den


def fit(seed=4):
    torch.manual_seed(seed)
    x, t, e = simulate(1200, seed)
    xt, tt, et = simulate(400, seed + 1)
    net = nn.Sequential(nn.Linear(8, 32), nn.SELU(), nn.Linear(32, 32), nn.SELU(), nn.Linear(32, 1))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3, weight_decay=1e-4)
    order = np.argsort(-t)
    t, e = t[order], e[order]
    x, e = torch.from_numpy(x), torch.from_numpy(e)
    for it in range(251):
        log_h = net(x).squeeze(1)
        loss = cox_ph_loss(log_h, e)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            with torch.no_grad():
                r = net(torch.from_numpy(xt)).squeeze(1).numpy()
            print(f"it {it:3d}  pll {loss.item():.3f}  test c-index {concordance(tt, r, et):.4f}")


fit()
