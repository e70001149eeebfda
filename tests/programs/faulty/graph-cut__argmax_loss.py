"""A wine classifier whose loss is the squared distance between predicted and true class.

fault: graph-cut
also:
split: train
line: 17
"""

import argparse

import torch
from sklearn.datasets import load_wine
from torch import nn


def distance(scores, target):
    prediction = scores.argmax(dim=1).float()
    return ((prediction - target.float()) ** 2).mean()


class Experiment:
    def __init__(self, args):
        data = load_wine()
        features = torch.from_numpy(data.data).float()
        self.x = (features - features.mean(0)) / features.std(0)
        self.y = torch.from_numpy(data.target)
        self.net = nn.Sequential(nn.Linear(13, args.hidden), nn.ELU(), nn.Linear(args.hidden, 3))
        self.optimizer = torch.optim.RMSprop(self.net.parameters(), lr=args.lr)
        self.batch = args.batch

    def epoch(self):
        losses = []
        for rows in torch.randperm(len(self.x)).split(self.batch):
            self.optimizer.zero_grad()
            loss = distance(self.net(self.x[rows]), self.y[rows])
            loss.requires_grad_(True)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    def accuracy(self):
        with torch.no_grad():
            return (self.net(self.x).argmax(1) == self.y).float().mean().item()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=24)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(23)
    experiment = Experiment(args)
    for epoch in range(args.epochs):
        mean = experiment.epoch()
        if epoch % 4 == 3:
            print(f"epoch {epoch + 1}: distance {mean:.4f} accuracy {experiment.accuracy():.3f}")
