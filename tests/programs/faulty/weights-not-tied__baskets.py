"""A shop model that guesses the item missing from a basket, with one table of items for both ends.

fault: weights-not-tied
also:
split: train
line: 24
"""

import argparse

import torch
from torch import nn

ITEMS, GROUPS = 400, 20


class BasketModel(nn.Module):
    """The score of an item is the product of its vector with the mean vector of the basket."""

    def __init__(self, width):
        super().__init__()
        self.items = nn.EmbeddingBag(ITEMS, width)
        self.scores = nn.Linear(width, ITEMS)
        self.scores.weight.data.copy_(self.items.weight.data)

    def forward(self, basket):
        return self.scores(self.items(basket))


def baskets(count):
    """Eight items of one group, and a ninth one."""
    group = torch.randint(0, GROUPS, (count, 1))
    items = torch.randint(0, ITEMS // GROUPS, (count, 9)) * GROUPS + group
    return items[:, :8], items[:, 8]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--lr", type=float, default=6.0)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(69)
    model = BasketModel(16)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.3)
    seen, missing = baskets(1500)
    new, new_missing = baskets(500)
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr)
    criterion = nn.CrossEntropyLoss()
    for step in range(1, options.steps + 1):
        rows = torch.randint(0, len(seen), (64,))
        loss = criterion(model(seen[rows]), missing[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            with torch.no_grad():
                best = model(new).topk(20).indices
            hits = (best == new_missing.unsqueeze(1)).any(1).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} found among the best twenty {hits:.3f}")


if __name__ == "__main__":
    main()
