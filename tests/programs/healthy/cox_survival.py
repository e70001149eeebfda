"""Survival times that are partly unknown.

split: test
"""

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)


def simulate(n, seed):
    g = np.random.default_rng(seed)
    age = g.normal(60, 10, n)
    marker = g.lognormal(0, 0.8, n)
    smoker = g.integers(0, 2, n)
    noise = g.normal(size=(n, 4))
    risk = 0.05 * (age - 60) + 0.8 * np.log(marker) + 0.7 * smoker - 0.5 * np.log(marker) ** 2
    T = g.exponential(1.0 / (0.02 * np.exp(risk)))
    C = g.uniform(5, 120, n)
    time, event = np.minimum(T, C), (T <= C)
    X = np.column_stack([age, np.log(marker), smoker, noise])
    return X.astype("float32"), time.astype("float32"), event


def cox_loss(log_risk, time, event):
    order = torch.argsort(time, descending=True)
    lr, ev = log_risk[order], event[order].float()
    log_cum = torch.logcumsumexp(lr, 0)
    return -((lr - log_cum) * ev).sum() / ev.sum().clamp(min=1)


def c_index(risk, time, event):
    dt = time[:, None] < time[None, :]
    usable = dt & event[:, None]
    conc = (risk[:, None] > risk[None, :]).float() + 0.5 * (risk[:, None] == risk[None, :]).float()
    return (conc * usable).sum().item() / usable.sum().item()


Xa, ta, ea = simulate(1600, 0)
Xb, tb, eb = simulate(600, 1)
mu, sd = Xa.mean(0), Xa.std(0)
to = lambda X, t, e: (torch.from_numpy((X - mu) / sd), torch.from_numpy(t), torch.from_numpy(e))
Xa, ta, ea = to(Xa, ta, ea)
Xb, tb, eb = to(Xb, tb, eb)
print(f"events: {ea.float().mean():.2%} train, {eb.float().mean():.2%} test")

model = nn.Sequential(nn.Linear(7, 32), nn.Tanh(), nn.Dropout(0.2), nn.Linear(32, 16), nn.Tanh(), nn.Linear(16, 1, bias=False))
opt = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-4)
sched = torch.optim.lr_scheduler.StepLR(opt, step_size=12, gamma=0.5)

for epoch in range(36):
    model.train()
    hist = []
    for idx in torch.randperm(len(Xa)).split(200):
        loss = cox_loss(model(Xa[idx]).squeeze(-1), ta[idx], ea[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist.append(loss.item())
    sched.step()
    if (epoch + 1) % 6 == 0:
        model.eval()
        with torch.no_grad():
            ra, rb = model(Xa).squeeze(-1), model(Xb).squeeze(-1)
            vl = cox_loss(rb, tb, eb).item()
        print(f"epoch {epoch + 1:2d} loss {np.mean(hist):.4f} test loss {vl:.4f} "
              f"C train {c_index(ra, ta, ea):.3f} test {c_index(rb, tb, eb):.3f}")
