"""Swirls that turn left or right, and two kinds of plain figures, told apart by a small convolutional network.

fault: destroying-augmentation
also:
split: train
line: 39
"""

import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn

SIDE = 20


def figures(count, generator):
    axis = torch.linspace(-1, 1, SIDE)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    radius, angle = (xx**2 + yy**2).sqrt(), torch.atan2(yy, xx)
    kind = torch.randint(0, 4, (count,), generator=generator)
    start = 2 * math.pi * torch.rand(count, generator=generator)
    pictures = torch.empty(count, 1, SIDE, SIDE)
    for i in range(count):
        if kind[i] < 2:
            way = 1.0 if kind[i] == 0 else -1.0
            pictures[i, 0] = torch.cos(2 * angle + way * 7 * radius + start[i])
        elif kind[i] == 2:
            pictures[i, 0] = torch.cos(9 * radius + start[i])
        else:
            pictures[i, 0] = torch.cos(4 * angle + start[i])
    return pictures + 0.4 * torch.randn(pictures.shape, generator=generator), kind


def augment(batch):
    turn = torch.rand(len(batch)) < 0.5
    batch = torch.where(turn[:, None, None, None], batch.flip(-1), batch)
    return batch + 0.1 * torch.randn_like(batch)


class Net(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.stem = nn.Conv2d(1, width, 5, padding=2)
        self.body = nn.Conv2d(width, 2 * width, 3, padding=1)
        self.norms = nn.ModuleList([nn.BatchNorm2d(width), nn.BatchNorm2d(2 * width)])
        self.head = nn.Linear(2 * width * 25, 4)

    def forward(self, x):
        x = F.max_pool2d(self.norms[0](self.stem(x)).relu(), 2)
        x = F.max_pool2d(self.norms[1](self.body(x)).relu(), 2)
        return self.head(x.flatten(1))


def main(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    x, y = figures(1200, generator)
    x_val, y_val = figures(300, generator)
    net = Net()
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr, momentum=0.9)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    for epoch in range(args.epochs):
        net.train()
        total = 0.0
        for rows in torch.randperm(len(x)).split(48):
            loss = F.cross_entropy(net(augment(x[rows])), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(rows)
        schedule.step()
        net.eval()
        with torch.no_grad():
            scores = net(x_val)
        right = (scores.argmax(1) == y_val).float().mean().item()
        print(f"{epoch}: train {total / len(x):.3f} val {F.cross_entropy(scores, y_val).item():.3f} acc {right:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--epochs", type=int, default=8)
    main(parser.parse_args())
