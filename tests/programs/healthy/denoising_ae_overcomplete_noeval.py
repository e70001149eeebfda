"""Sparse overcomplete denoising autoencoder on sensor channels, then anomaly scores. No evaluation inside the loop.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.metrics import roc_auc_score

torch.set_num_threads(1)
torch.manual_seed(50)
rng = np.random.default_rng(50)

mix = rng.normal(size=(4, 20)) * rng.lognormal(0, 1, 20)
offset = rng.normal(0, 50, 20)


def normal_rows(n):
    z = rng.normal(size=(n, 4))
    z[:, 3] = z[:, 0] * z[:, 1]
    return z @ mix + offset + 0.05 * rng.normal(size=(n, 20)) * np.abs(mix).mean(0)


train = normal_rows(4000)
test_ok = normal_rows(500)
test_bad = normal_rows(500)
for row in test_bad:
    k = rng.choice(20, 3, replace=False)
    row[k] = offset[k] + rng.normal(size=3) * 1.2 * np.abs(mix).mean(0)[k]

mu, sd = train.mean(0), train.std(0)
t = lambda a: torch.tensor((a - mu) / sd, dtype=torch.float32)
X = t(train)


class DAE(nn.Module):
    def __init__(self, d=20, wide=128):
        super().__init__()
        self.enc = nn.Linear(d, wide)
        self.mid = nn.Linear(wide, wide)
        self.dec = nn.Linear(wide, d)

    def forward(self, x):
        h = torch.relu(self.enc(x))
        h = torch.relu(self.mid(h))
        return self.dec(h), h


model = DAE()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
steps = 1500
sched = torch.optim.lr_scheduler.PolynomialLR(opt, steps, power=1.0)
log = []
for step in range(steps):
    x = X[torch.randint(0, len(X), (128,))]
    noise = torch.randn_like(x) * 0.3
    drop = (torch.rand_like(x) > 0.15).float()
    out, h = model((x + noise) * drop)
    loss = (out - x).pow(2).mean() + 1e-4 * h.abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    log.append(loss.item())
    if (step + 1) % 250 == 0:
        print(f"step {step + 1} loss {np.mean(log[-250:]):.4f}")

model.eval()
with torch.no_grad():
    s = [(model(t(a))[0] - t(a)).pow(2).mean(1).numpy() for a in (test_ok, test_bad)]
labels = np.r_[np.zeros(500), np.ones(500)]
print(f"reconstruction error normal {s[0].mean():.4f} anomalous {s[1].mean():.4f} AUROC {roc_auc_score(labels, np.concatenate(s)):.4f}")
