"""Digits with Adam from a command line script.

fault: learning-rate-too-high
also: divergence
split: test
line: 18
"""

import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.5)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=32)
    args, _ = parser.parse_known_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)

    data = load_digits()
    x = torch.tensor(data.data / 16, dtype=torch.float32)
    y = torch.tensor(data.target)
    perm = torch.randperm(len(x))
    tr, te = perm[:1400], perm[1400:]
    model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 10))
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        running = []
        for rows in tr[torch.randperm(1400)].split(args.batch):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
            running.append(loss.item())
        with torch.no_grad():
            accuracy = (model(x[te]).argmax(1) == y[te]).float().mean()
        print(f"epoch {epoch} loss {sum(running) / len(running):.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
