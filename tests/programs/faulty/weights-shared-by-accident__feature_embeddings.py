"""A recommender with an embedding per field, all fields with the same number of values.

fault: weights-shared-by-accident
also:
split: test
line: 21
"""

import argparse

import torch
from torch import nn

FIELDS = ("user", "film", "hour")
VALUES = 40


class Recommender(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.ModuleDict(dict.fromkeys(FIELDS, nn.Embedding(VALUES, 1)))
        self.vectors = nn.ModuleDict(dict.fromkeys(FIELDS, nn.Embedding(VALUES, width)))
        for table in (*self.bias.values(), *self.vectors.values()):
            nn.init.normal_(table.weight, std=0.1)

    def forward(self, rows):
        vectors = torch.stack([self.vectors[name](rows[:, i]) for i, name in enumerate(FIELDS)])
        pairs = (vectors.sum(0) ** 2 - (vectors**2).sum(0)).sum(1) / 2
        return pairs + sum(self.bias[name](rows[:, i]).squeeze(1) for i, name in enumerate(FIELDS))


def ratings(count):
    taste, genre = torch.randn(VALUES, 3), torch.randn(VALUES, 3)
    popular, mood = torch.randn(VALUES), torch.randn(VALUES)
    rows = torch.randint(0, VALUES, (count, 3))
    rating = (taste[rows[:, 0]] * genre[rows[:, 1]]).sum(1) / 2 + popular[rows[:, 1]] + 0.5 * mood[rows[:, 2]]
    return rows, rating + 0.2 * torch.randn(count)


def main(options):
    torch.set_num_threads(1)
    torch.manual_seed(73)
    rows, rating = ratings(9000)
    model = Recommender(options.width)
    optimizer = torch.optim.Adam(model.parameters(), lr=options.lr)
    for step in range(1, options.steps + 1):
        batch = torch.randint(0, 8000, (256,))
        loss = torch.mean((model(rows[batch]) - rating[batch]) ** 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 80 == 0:
            with torch.no_grad():
                rmse = (model(rows[8000:]) - rating[8000:]).pow(2).mean().sqrt().item()
            print(f"step {step}: loss {loss.item():.4f} test rmse {rmse:.4f} (spread {rating.std().item():.3f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.03)
    parser.add_argument("--steps", type=int, default=480)
    main(parser.parse_args())
