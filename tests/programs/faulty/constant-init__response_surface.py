"""A smooth surface of two variables is fitted.

fault: constant-init
also:
split: train
line: 38
"""

import argparse
import math

import torch
import torch.nn as nn


def surface(p):
    x, y = p[:, :1], p[:, 1:]
    return torch.sin(math.pi * x) * torch.cos(math.pi * y) + 0.5 * x * y


class Field(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        self.inp = nn.Linear(2, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))
        self.out = nn.Linear(width, 1)

    def forward(self, p):
        h = torch.tanh(self.inp(p))
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h)


def initialise(net, gain=1.0):
    for m in net.modules():
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, gain / math.sqrt(m.in_features))
            nn.init.zeros_(m.bias)


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--width", type=int, default=48)
    ap.add_argument("--depth", type=int, default=2)
    ap.add_argument("--steps", type=int, default=900)
    ap.add_argument("--points", type=int, default=256)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=19)
    a = ap.parse_args(argv)

    torch.manual_seed(a.seed)
    net = Field(a.width, a.depth)
    initialise(net)
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    lin = torch.linspace(-1, 1, 41)
    grid = torch.cartesian_prod(lin, lin)
    truth = surface(grid)

    for step in range(1, a.steps + 1):
        p = torch.rand(a.points, 2) * 2 - 1
        loss = (net(p) - surface(p)).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 150 == 0:
            with torch.no_grad():
                rel = ((net(grid) - truth).norm() / truth.norm()).item()
            print(f"step {step:5d}  loss {loss.item():.5f}  relative error on grid {rel:.4f}")


if __name__ == "__main__":
    main()
