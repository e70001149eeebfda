"""A token mixer that finds the majority symbol, with a threshold in its feed-forward part.

fault: dead-relu
also: badly-scaled-init, collapsed-output, vanishing-gradient
split: train
line: 31
"""

import argparse

import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self, symbols, width, threshold):
        super().__init__()
        self.embedding = nn.Embedding(symbols, width)
        self.expand = nn.Linear(width, 4 * width)
        self.contract = nn.Linear(4 * width, width)
        self.head = nn.Linear(width, symbols)
        self.threshold = threshold

    def forward(self, ids):
        pooled = self.embedding(ids).mean(1)
        return self.head(self.contract(torch.relu(self.expand(pooled) - self.threshold)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threshold", type=float, default=6.0)
    parser.add_argument("--steps", type=int, default=600)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(77)
    model = Mixer(6, 24, options.threshold)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(options.steps):
        ids = torch.randint(0, 6, (64, 15))
        majority = nn.functional.one_hot(ids, 6).sum(1).argmax(1)
        loss = nn.functional.cross_entropy(model(ids), majority)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if (step + 1) % 100 == 0:
            right = (model(ids).argmax(1) == majority).float().mean().item()
            print(f"{step + 1:4d} loss {loss.item():.4f} right {right:.3f}")


if __name__ == "__main__":
    main()
