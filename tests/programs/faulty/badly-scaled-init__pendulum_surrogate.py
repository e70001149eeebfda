"""Surrogate for the acceleration of a driven double pendulum (deep MLP).

fault: badly-scaled-init
also: vanishing-gradient
split: train
line: 36
"""
import math

import torch
from torch import nn


def simulate(n, gen):
    q = torch.rand(n, 5, generator=gen) * 2 - 1          # th1, th2, w1, w2, drive
    th1, th2 = q[:, 0] * math.pi / 2, q[:, 1] * math.pi / 2
    w1, w2, u = q[:, 2] * 2, q[:, 3] * 2, q[:, 4]
    d = th1 - th2
    den = 3 - torch.cos(2 * d)
    a1 = (-3 * torch.sin(th1) - torch.sin(th1 - 2 * th2)
          - 2 * torch.sin(d) * (w2 ** 2 + w1 ** 2 * torch.cos(d))) / den + u
    a2 = 2 * torch.sin(d) * (2 * w1 ** 2 + 2 * torch.cos(th1) + w2 ** 2 * torch.cos(d)) / den
    return q * math.sqrt(3), torch.stack([a1, a2], 1)


class DeepMLP(nn.Module):
    def __init__(self, d_in, d_out, width=48, depth=8):
        super().__init__()
        dims = [d_in] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, d_out)
        self.reset()

    def reset(self):
        for layer in self.hidden:
            nn.init.normal_(layer.weight, std=0.02)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        for layer in self.hidden:
            x = torch.relu(layer(x))
        return self.out(x)


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(42)
    x, y = simulate(12000, gen)
    x_val, y_val = simulate(2000, gen)
    y_mean, y_std = y.mean(0), y.std(0)
    y, y_val = (y - y_mean) / y_std, (y_val - y_mean) / y_std

    model = DeepMLP(5, 2)
    steps, batch = 1500, 128
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    mse = nn.MSELoss()
    for step in range(steps):
        idx = torch.randint(0, len(x), (batch,))
        loss = mse(model(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 250 == 0:
            with torch.no_grad():
                print(f"step {step:5d}  batch mse {loss.item():.4f}  val mse {mse(model(x_val), y_val).item():.4f}")
    with torch.no_grad():
        final = mse(model(x_val), y_val).item()
    print(f"score (R2) {1 - final / y_val.var().item():.4f}")


if __name__ == "__main__":
    main()
