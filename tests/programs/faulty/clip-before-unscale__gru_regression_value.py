"""A GRU that estimates the mean of a series, in a functional loop with loss scaling for half precision.

fault: clip-before-unscale
also:
split: train
line: 39
"""

import argparse

import torch
from torch import nn


class MeanModel(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gru = nn.GRU(1, width, batch_first=True)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(self.gru(x)[1][0])


def batch(size, length=12):
    x = torch.randn(size, length, 1) + 1.5 * torch.randn(size, 1, 1)
    return x, x.mean(1)


def train(args):
    model = MeanModel(args.width)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler("cpu", init_scale=8192.0, growth_interval=100)
    for step in range(1, args.steps + 1):
        x, y = batch(args.batch)
        loss = (model(x) - y).abs().mean()
        optimizer.zero_grad()
        scaler.scale(loss).backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), args.clip)
        scaler.step(optimizer)
        scaler.update()
        if step % 60 == 0:
            print(f"step {step}: absolute error {loss.item():.4f}")
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=24)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--steps", type=int, default=360)
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--clip", type=float, default=0.5)
    torch.set_num_threads(1)
    torch.manual_seed(44)
    train(parser.parse_args())
