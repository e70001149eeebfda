"""Class-incremental learning: the digit pairs arrive one after the other, a small reservoir of old examples is replayed.

split: train
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits


class Reservoir:
    def __init__(self, size):
        self.size, self.seen, self.items = size, 0, []

    def add(self, x, y):
        for xi, yi in zip(x, y):
            self.seen += 1
            if len(self.items) < self.size:
                self.items.append((xi, yi))
            else:
                j = random.randrange(self.seen)
                if j < self.size:
                    self.items[j] = (xi, yi)

    def sample(self, n):
        xs, ys = zip(*random.sample(self.items, min(n, len(self.items))))
        return torch.stack(xs), torch.stack(ys)


def main():
    random.seed(0)
    torch.manual_seed(0)
    d = load_digits()
    X, y = torch.tensor(d.data, dtype=torch.float32) / 16, torch.tensor(d.target)
    perm = torch.randperm(len(y))
    tr, te = perm[:1300], perm[1300:]
    net = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
    opt = torch.optim.SGD(net.parameters(), lr=0.05)
    memory = Reservoir(300)
    for task in range(5):
        classes = torch.tensor([2 * task, 2 * task + 1])
        rows = tr[torch.isin(y[tr], classes)]
        for epoch in range(25):
            for idx in rows[torch.randperm(len(rows))].split(10):
                x, t = X[idx], y[idx]
                if memory.items:
                    mx, mt = memory.sample(10 * task)
                    x, t = torch.cat([x, mx]), torch.cat([t, mt])
                loss = F.cross_entropy(net(x), t)
                opt.zero_grad()
                loss.backward()
                opt.step()
        # the reservoir takes each example of the task once
        shuffled = rows[torch.randperm(len(rows))]
        memory.add(X[shuffled], y[shuffled])
        seen = te[y[te] < 2 * task + 2]
        with torch.no_grad():
            pred = net(X[seen]).argmax(1)
        first = y[seen] < 2
        print(f"after classes {classes.tolist()}: accuracy on all seen classes {(pred == y[seen]).float().mean():.4f}, "
              f"on the first pair {(pred == y[seen])[first].float().mean():.4f}")


if __name__ == "__main__":
    main()
