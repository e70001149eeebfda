"""Grades in order, with noise, in a bag of nets.

split: test
"""

# Ordinal regression (CORAL) on noisy ratings, a bag of three networks on bootstrap samples.
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)
rng = np.random.default_rng(41)

n, d, K = 3000, 12, 5
X = rng.standard_t(3, size=(n, d))
X = np.sign(X) * np.log1p(np.abs(X))
score = X[:, 0] * 1.5 - X[:, 1] + 1.2 * np.sin(2 * X[:, 2]) + X[:, 3] * X[:, 4]
cuts = np.quantile(score, [0.2, 0.4, 0.6, 0.8])
clean = np.digitize(score, cuts)
noisy = np.clip(clean + rng.choice([-1, 0, 1], n, p=[0.08, 0.84, 0.08]), 0, K - 1)
X = torch.tensor(X / X[:2400].std(0), dtype=torch.float32)
noisy, clean = torch.tensor(noisy), torch.tensor(clean)
Xtr, ytr, Xte, yte = X[:2400], noisy[:2400], X[2400:], clean[2400:]


class Coral(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 64), nn.ELU(), nn.Dropout(0.1), nn.Linear(64, 64), nn.ELU(), nn.Linear(64, 1, bias=False))
        self.b = nn.Parameter(torch.linspace(1.5, -1.5, K - 1))

    def forward(self, x):
        return self.f(x) + self.b


def levels(y):
    return (y[:, None] > torch.arange(K - 1)).float()


def fit_one(seed, epochs=10):
    g = torch.Generator().manual_seed(seed)
    boot = torch.randint(0, len(Xtr), (len(Xtr),), generator=g)
    xb_all, yb_all = Xtr[boot], ytr[boot]
    net = Coral()
    opt = torch.optim.NAdam(net.parameters(), lr=3e-3)
    for ep in range(epochs):
        net.train()
        run = 0.0
        for idx in torch.randperm(len(boot), generator=g).split(64):
            loss = F.binary_cross_entropy_with_logits(net(xb_all[idx]), levels(yb_all[idx]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            run += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        p = torch.sigmoid(net(Xte))
    print(f"member {seed}: train bce {run / len(boot):.4f} test MAE {((p > 0.5).sum(1) - yte).abs().float().mean():.3f}")
    return p


probs = torch.stack([fit_one(s) for s in range(3)]).mean(0)
pred = (probs > 0.5).sum(1)
mae = (pred - yte).abs().float().mean().item()
base = (yte - 2).abs().float().mean().item()
print(f"bag: MAE {mae:.3f} (always the middle class: {base:.3f}), accuracy {(pred == yte).float().mean():.3f}, "
      f"within one {((pred - yte).abs() <= 1).float().mean():.3f}")
