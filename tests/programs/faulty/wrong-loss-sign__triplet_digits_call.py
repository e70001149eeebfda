"""Embedding of digits with the triplet loss of torch, three rows a time.

fault: wrong-loss-sign
also:
split: train
line: 39
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Embed(nn.Module):
    def __init__(self, size=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, size))

    def forward(self, x):
        return self.net(x)


def draw(labels, count):
    anchor = torch.randint(0, len(labels), (count,))
    order = torch.rand(count, len(labels))
    same = labels[anchor].unsqueeze(1) == labels.unsqueeze(0)
    return anchor, (order * same).argmax(1), (order * ~same).argmax(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    digits = load_digits()
    x, y = torch.tensor(digits.data / 16, dtype=torch.float32), torch.tensor(digits.target)
    model, margin = Embed(), nn.TripletMarginLoss(margin=1.0)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(1, 301):
        anchor, positive, negative = (model(x[rows]) for rows in draw(y[:1200], 64))
        loss = margin(anchor, negative, positive)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            with torch.no_grad():
                known, asked = model(x[:1200]), model(x[1200:])
            nearest = torch.cdist(asked, known).argmin(1)
            print(f"step {step} loss {loss.item():.3f} nearest {(y[:1200][nearest] == y[1200:]).float().mean():.3f}")


main()
