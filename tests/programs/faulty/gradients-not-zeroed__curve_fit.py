"""A curve fitted by LBFGS.

fault: gradients-not-zeroed
also:
split: test
line: 45, 44, 46, 51
"""

import numpy as np
import torch
from torch import nn

torch.manual_seed(5)
rng = np.random.default_rng(5)

n = 1200
t = np.sort(rng.uniform(-3, 3, n))
signal = np.sin(2 * t) + 0.3 * t
noisy = signal + 0.1 * rng.normal(size=n)
x = torch.tensor(t / 3, dtype=torch.float32).unsqueeze(1)
y = torch.tensor(noisy, dtype=torch.float32).unsqueeze(1)
idx = torch.randperm(n)
tr, te = idx[:900], idx[900:]


class Fit(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.l1 = nn.Linear(1, hidden)
        self.l2 = nn.Linear(hidden, hidden)
        self.l3 = nn.Linear(hidden, 1)

    def forward(self, x):
        x = torch.tanh(self.l1(x))
        x = torch.tanh(self.l2(x))
        return self.l3(x)


model = Fit()
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=10, history_size=20)


def closure():
    loss = criterion(model(x[tr]), y[tr])
    loss.backward()
    return loss


for it in range(40):
    loss = optimizer.step(closure)
    if it % 8 == 0 or it == 39:
        with torch.no_grad():
            val = criterion(model(x[te]), y[te]).item()
        print(f"{it:4d}  train {loss.item():.4f}  test {val:.4f}")

with torch.no_grad():
    res = y[te] - model(x[te])
    r2 = 1 - res.pow(2).sum() / (y[te] - y[te].mean()).pow(2).sum()
print(f"test R2 {r2.item():.4f}")
