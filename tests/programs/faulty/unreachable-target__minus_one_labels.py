"""A text classifier with labels -1 and +1 and binary cross entropy on scores.

fault: unreachable-target
also:
split: test
line: 50
"""

import torch
import torch.nn.functional as F
from torch import nn


class BagOfWords(nn.Module):
    def __init__(self, words=200, width=12):
        super().__init__()
        self.table = nn.EmbeddingBag(words, width)
        self.layers = nn.Sequential(nn.Linear(width, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, words):
        return self.layers(self.table(words)).squeeze(1)


class Messages:
    """Every word pulls a message to one of two sides."""

    def __init__(self, words=200):
        self.words, self.pull = words, torch.randn(words)

    def sample(self, count, length=10):
        ids = torch.randint(0, self.words, (count, length))
        side = torch.sign(self.pull[ids].sum(1) + 0.3)
        return ids, side


def accuracy(model, ids, side):
    with torch.no_grad():
        return ((model(ids) > 0) == (side > 0)).float().mean().item()


def main(steps=400):
    torch.set_num_threads(1)
    torch.manual_seed(120)
    messages = Messages()
    model = BagOfWords()
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    test = messages.sample(500)
    for step in range(1, steps + 1):
        ids, side = messages.sample(64)
        loss = F.binary_cross_entropy_with_logits(model(ids), side)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 80 == 0:
            print(f"step {step} loss {loss.item():.3f} test accuracy {accuracy(model, *test):.3f}")


if __name__ == "__main__":
    main()
