"""A promise of delivery time that is kept in four of five cases, learnt from routes and traffic.

fault: wrong-loss-sign
also:
split: test
line: 39
"""

import argparse

import torch
import torch.nn as nn


def orders(count):
    features = torch.rand(count, 5)
    distance, traffic, weight, hour, _ = features.unbind(1)
    minutes = 10 + 30 * distance + 15 * traffic * distance + 4 * weight
    late = torch.distributions.Exponential(1.0).sample((count,)) * (2 + 10 * traffic + 4 * (hour - 0.5).abs())
    return features, (minutes + late - 35) / 15


class Promise:
    def __init__(self, keep, rate):
        self.keep = keep
        self.net = nn.Sequential(nn.Linear(5, 64), nn.SiLU(), nn.Linear(64, 32), nn.SiLU(), nn.Linear(32, 1))
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=rate)

    def fit(self, features, minutes, epochs, batch=100):
        for epoch in range(epochs):
            for rows in torch.randperm(len(features)).split(batch):
                self.optimizer.zero_grad()
                loss = self.loss(self.net(features[rows]).squeeze(1), minutes[rows])
                loss.backward()
                self.optimizer.step()
            yield epoch, loss.item()

    def loss(self, promised, needed):
        error = promised - needed
        return ((self.keep - (error < 0).float()) * error).mean()

    def kept(self, features, minutes):
        with torch.no_grad():
            return (minutes <= self.net(features).squeeze(1)).float().mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keep", type=float, default=0.8)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(19)
    features, minutes = orders(4000)
    test_features, test_minutes = orders(1000)
    promise = Promise(args.keep, args.rate)
    for epoch, loss in promise.fit(features, minutes, args.epochs):
        if epoch % 3 == 2:
            print(f"epoch {epoch + 1} loss {loss:.4f} promises kept {promise.kept(test_features, test_minutes):.3f}")


if __name__ == "__main__":
    main()
