"""One block applied twice in a forward pass, and registered under two names.

split: train
"""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        return x + torch.nn.functional.gelu(self.linear(self.norm(x)))


class Repeated(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.first = Block(width)
        self.second = self.first
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        x = self.first(x)
        x = self.second(x)
        return self.out(x)


def main():
    torch.manual_seed(8)
    net = Repeated()
    opt = torch.optim.Adam(net.parameters(), 1e-2)
    x = torch.randn(128, 16)
    y = (x * x).sum(1, keepdim=True).sqrt()
    for _ in range(30):
        loss = torch.nn.functional.smooth_l1_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        print("loss", loss.item())


torch.set_num_threads(1)
main()
