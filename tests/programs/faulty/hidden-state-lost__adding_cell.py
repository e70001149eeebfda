"""Two numbers of a sequence are added.

fault: hidden-state-lost
also: 
split: train
line: 29
"""

import argparse
import torch
import torch.nn as nn


class StepModel(nn.Module):
    """LSTM cell unrolled by hand, remembers marked values."""

    def __init__(self, n_in=2, hidden=40):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTMCell(n_in, hidden)
        self.read = nn.Linear(hidden, 1)

    def start(self, n):
        z = torch.zeros(n, self.hidden)
        return z, z.clone()

    def forward(self, x):
        for t in range(x.shape[1]):
            h, c = self.start(len(x))
            h, c = self.cell(x[:, t], (h, c))
        return self.read(h)[:, 0]


def adding_problem(n, length):
    v = torch.rand(n, length) * 2 - 1
    m = torch.zeros(n, length)
    i = torch.randint(0, length // 2, (n,))
    j = torch.randint(length // 2, length, (n,))
    m[torch.arange(n), i] = 1
    m[torch.arange(n), j] = 1
    return torch.stack([v, m], -1), (v * m).sum(1)


def main(a):
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    net = StepModel()
    opt = torch.optim.Adam(net.parameters(), lr=a.lr)
    xv, yv = adding_problem(1000, a.length)
    print("variance of the target", yv.var().item())
    running = 0.0
    for step in range(1, a.steps + 1):
        x, y = adding_problem(a.batch, a.length)
        loss = ((net(x) - y) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        running += loss.item()
        if step % a.log == 0:
            with torch.no_grad():
                v = ((net(xv) - yv) ** 2).mean().item()
            print(f"step {step}: train {running / a.log:.4f} valid {v:.4f}")
            running = 0.0


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--length", type=int, default=10)
    p.add_argument("--batch", type=int, default=64)
    p.add_argument("--steps", type=int, default=600)
    p.add_argument("--lr", type=float, default=8e-3)
    p.add_argument("--log", type=int, default=100)
    p.add_argument("--seed", type=int, default=77)
    main(p.parse_args())
