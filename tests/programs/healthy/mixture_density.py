"""Mixture density network for an inverse problem: many y for one x.

split: test
"""

import math
import torch
from torch import nn

torch.manual_seed(30)


def inverse_data(n):
    y = torch.rand(n, 1)
    x = y + 0.3 * torch.sin(2 * math.pi * y) + 0.05 * torch.randn(n, 1)
    return x, y


x_train, y_train = inverse_data(3000)
x_test, y_test = inverse_data(1000)
mx, sx, my, sy = x_train.mean(), x_train.std(), y_train.mean(), y_train.std()
norm = lambda x, y: ((x - mx) / sx, (y - my) / sy)
x_train, y_train = norm(x_train, y_train)
x_test, y_test = norm(x_test, y_test)


class MDN(nn.Module):
    def __init__(self, k=5, h=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(1, h), nn.Tanh(), nn.Linear(h, h), nn.Tanh())
        self.pi, self.mu, self.log_sigma = nn.Linear(h, k), nn.Linear(h, k), nn.Linear(h, k)

    def nll(self, x, y):
        h = self.trunk(x)
        log_pi = torch.log_softmax(self.pi(h), 1)
        ls = self.log_sigma(h).clamp(-4, 3)
        comp = -0.5 * ((y - self.mu(h)) / ls.exp()) ** 2 - ls - 0.5 * math.log(2 * math.pi)
        return -torch.logsumexp(log_pi + comp, 1).mean()


mdn = MDN()
point = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 1))
opt = torch.optim.Adam(list(mdn.parameters()) + list(point.parameters()), lr=5e-3)
EPOCHS = 60
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
for epoch in range(EPOCHS):
    for b in torch.randperm(len(x_train)).split(150):
        loss_m = mdn.nll(x_train[b], y_train[b])
        loss_p = (point(x_train[b]) - y_train[b]).pow(2).mean()
        opt.zero_grad()
        (loss_m + loss_p).backward()
        opt.step()
    sched.step()
    if epoch % 6 == 5:
        with torch.no_grad():
            print(f"epoch {epoch + 1} train nll {loss_m.item():.4f} test nll {mdn.nll(x_test, y_test).item():.4f}")
with torch.no_grad():
    res = (point(x_test) - y_test).pow(2).mean()
    single = 0.5 * math.log(2 * math.pi * math.e * res.item())
print(f"test NLL: mixture {mdn.nll(x_test, y_test).item():.3f}, single Gaussian around the mean {single:.3f}")
