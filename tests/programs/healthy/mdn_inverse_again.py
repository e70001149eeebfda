"""A mixture of densities for an inverse problem.

split: test
"""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(14)


def toy(n):
    """Inverse problem: y is several-valued in x."""
    y = torch.rand(n, 1) * 2 - 1
    x = 0.7 * y + 0.45 * torch.sin(2 * math.pi * y) + 0.06 * torch.randn(n, 1)
    return x, y


class MDN(nn.Module):
    def __init__(self, k=6, hidden=64):
        super().__init__()
        self.k = k
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, 3 * k)
        with torch.no_grad():
            self.head.bias[k:2 * k] = torch.linspace(-1, 1, k)

    def forward(self, x):
        w, mu, s = self.head(self.body(x)).chunk(3, dim=1)
        return F.log_softmax(w, 1), mu, s.clamp(-4, 2)


def nll(params, y):
    logw, mu, logs = params
    comp = -0.5 * ((y - mu) / logs.exp()) ** 2 - logs - 0.5 * math.log(2 * math.pi)
    return -torch.logsumexp(logw + comp, dim=1).mean()


x_tr, y_tr = toy(3000)
x_te, y_te = toy(1000)
scale_x = x_tr.std()
x_tr, x_te = x_tr / scale_x, x_te / scale_x

model = MDN()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.93)
gauss = 0.5 * math.log(2 * math.pi * math.e * y_tr.var().item())
print(f"one constant Gaussian: nll {gauss:.3f}")
for epoch in range(24):
    model.train()
    for ix in torch.randperm(len(x_tr)).split(100):
        loss = nll(model(x_tr[ix]), y_tr[ix])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
    sched.step()
    if epoch % 3 == 2:
        model.eval()
        with torch.no_grad():
            tr, te = nll(model(x_tr), y_tr).item(), nll(model(x_te), y_te).item()
        print(f"epoch {epoch + 1:2d} train nll {tr:+.4f} test nll {te:+.4f}")
