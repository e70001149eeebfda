"""A mixture for an inverse problem.

split: test
"""

# Mixture density network, Bishop's inverse toy problem
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)


def data(n):
    t = torch.rand(n, 1)
    x = t + 0.3 * torch.sin(2 * math.pi * t) + (torch.rand(n, 1) - 0.5) * 0.1
    return x, t


class MDN(nn.Module):
    def __init__(self, k=5, h=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.pi, self.mu, self.log_s = nn.Linear(h, k), nn.Linear(h, k), nn.Linear(h, k)
        nn.init.uniform_(self.mu.bias, 0, 1)
        nn.init.constant_(self.log_s.bias, -1.5)

    def forward(self, x):
        h = self.trunk(2 * x - 1)
        return torch.log_softmax(self.pi(h), 1), self.mu(h), self.log_s(h).clamp(-5, 2)

    def nll(self, x, y):
        lp, mu, ls = self(x)
        comp = -0.5 * ((y - mu) / ls.exp()) ** 2 - ls - 0.5 * math.log(2 * math.pi)
        return -torch.logsumexp(lp + comp, 1).mean()


xtr, ytr = data(1500)
xte, yte = data(500)
mdn = MDN()
opt = torch.optim.Adam(mdn.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 750)
for step in range(750):
    idx = torch.randint(0, len(xtr), (200,))
    loss = mdn.nll(xtr[idx], ytr[idx])
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(mdn.parameters(), 0.5)
    opt.step()
    sched.step()
    if (step + 1) % 150 == 0:
        with torch.no_grad():
            print(f"step {step + 1} nll {loss.item():.4f} test {mdn.nll(xte, yte).item():.4f}")

# a single gaussian for comparison
A = torch.cat([xtr, xtr ** 2, xtr ** 3, torch.ones_like(xtr)], 1)
w = torch.linalg.lstsq(A, ytr).solution
B = torch.cat([xte, xte ** 2, xte ** 3, torch.ones_like(xte)], 1)
sd = (ytr - A @ w).std()
base = (0.5 * ((yte - B @ w) / sd) ** 2).mean() + sd.log() + 0.5 * math.log(2 * math.pi)
print(f"test nll of a cubic gaussian model: {base.item():.4f}")
