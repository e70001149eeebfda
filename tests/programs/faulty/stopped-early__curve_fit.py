"""A regression of a curve by hand-drawn batches, with an evaluation at the end.

fault: stopped-early
also: learning-rate-too-low
split: train
line: 21
"""

import argparse

import torch
from torch import nn


def curve(x):
    return torch.sin(4 * x) + 0.5 * x


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=80)
    parser.add_argument("--batch", type=int, default=32)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(493)
    model = nn.Sequential(nn.Linear(1, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for iteration in range(arguments.iterations):
        x = torch.rand(arguments.batch, 1) * 3.4 - 1.7
        loss = (model(x) - curve(x)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if iteration % 20 == 0:
            print(f"{iteration:5d} {loss.item():.4f}")
    with torch.no_grad():
        x = torch.linspace(-1.7, 1.7, 300).unsqueeze(1)
        print("error", round((model(x) - curve(x)).pow(2).mean().item(), 4))


if __name__ == "__main__":
    main()
