"""Quantile regression with the pinball loss; coverage checked on held-out data.

split: test
"""

import numpy as np
import torch
from torch import nn

torch.manual_seed(32)
rng = np.random.default_rng(32)


def draw(n):
    x = rng.uniform(-3, 3, n)
    y = np.sin(1.5 * x) * 2 + 0.3 * x + (0.2 + 0.25 * np.abs(x)) * rng.standard_normal(n)
    return x.astype("f4")[:, None], y.astype("f4")[:, None]


x, y = draw(5000)
xt, yt = draw(2000)
mx, sx, my, sy = x.mean(), x.std(), y.mean(), y.std()
x, xt, y, yt = [torch.from_numpy(v) for v in ((x - mx) / sx, (xt - mx) / sx, (y - my) / sy, (yt - my) / sy)]
Q = torch.tensor([0.05, 0.25, 0.5, 0.75, 0.95])


class QuantileNet(nn.Module):
    """Predicts the lowest quantile and positive steps up, so that quantiles do not cross."""

    def __init__(self, h=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU())
        self.low = nn.Linear(h, 1)
        self.steps = nn.Linear(h, len(Q) - 1)

    def forward(self, x):
        h = self.body(x)
        low = self.low(h)
        return torch.cat([low, low + nn.functional.softplus(self.steps(h)).cumsum(1)], 1)


def pinball(pred, target):
    e = target - pred
    return torch.maximum(Q * e, (Q - 1) * e).mean()


net = QuantileNet()
opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
EPOCHS = 40
sched = torch.optim.lr_scheduler.PolynomialLR(opt, EPOCHS, power=1.0)
for ep in range(EPOCHS):
    perm, tot = torch.randperm(len(x)), 0.0
    for i in range(0, len(x), 125):
        j = perm[i:i + 125]
        loss = pinball(net(x[j]), y[j])
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(j)
    sched.step()
    if ep % 5 == 4:
        with torch.no_grad():
            print(f"epoch {ep + 1} train pinball {tot / len(x):.5f} test {pinball(net(xt), yt).item():.5f}")
with torch.no_grad():
    cov = (yt <= net(xt)).float().mean(0)
    const = pinball(torch.quantile(y, Q).expand(len(yt), -1), yt).item()
print("nominal", Q.tolist(), "empirical", [round(c, 3) for c in cov.tolist()], f"constant-quantile pinball {const:.5f}")
