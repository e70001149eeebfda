"""Forecasts a seasonal series one step ahead with a GRU.

fault: scheduler-too-often
also: learning-rate-too-low
split: train
line: 47
"""

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(8)
np.random.seed(8)

T = 2200
t = np.arange(T)
series = np.sin(2 * np.pi * t / 24) + 0.6 * np.sin(2 * np.pi * t / 55 + 1) + 0.05 * np.random.randn(T)
split = 1800
series = (series - series[:split].mean()) / series[:split].std()


def windows(a, length=24):
    xs = np.stack([a[i : i + length] for i in range(len(a) - length)])
    return torch.tensor(xs, dtype=torch.float32).unsqueeze(-1), torch.tensor(a[length:], dtype=torch.float32)


x_train, y_train = windows(series[:split])
x_test, y_test = windows(series[split:])


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.gru = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h, _ = self.gru(x)
        return self.out(h[:, -1]).squeeze(-1)


net = Forecaster()
mse = nn.MSELoss()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
sched = torch.optim.lr_scheduler.ExponentialLR(opt, gamma=0.1)

naive = ((x_test[:, -1, 0] - y_test) ** 2).mean().item()
print(f"persistence mse {naive:.4f}")
for epoch in range(14):
    net.train()
    acc = 0.0
    for b in torch.randperm(len(x_train)).split(64):
        opt.zero_grad()
        loss = mse(net(x_train[b]), y_train[b])
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        acc += loss.item() * len(b)
    sched.step()
    net.eval()
    with torch.no_grad():
        test = mse(net(x_test), y_test).item()
    print(f"epoch {epoch + 1:2d}  train {acc / len(x_train):.4f}  test {test:.4f}")
