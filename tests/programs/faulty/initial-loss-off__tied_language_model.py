"""A GRU language model with tied embeddings in their default initialisation.

fault: initial-loss-off
also: badly-scaled-init
split: train
line: 17
"""

import torch
import torch.nn.functional as F
from torch import nn


class TiedLM(nn.Module):
    def __init__(self, words, width=64):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        self.mix = nn.Sequential(nn.Linear(2 * width, width), nn.LayerNorm(width))
        self.bias = nn.Parameter(torch.zeros(words))

    def forward(self, previous, current):
        x = self.mix(torch.cat([self.embedding(previous), self.embedding(current)], -1))
        return F.linear(x, self.embedding.weight, self.bias)


def corpus(words, length):
    table = torch.randint(0, words, (words, 3))
    ids = [0, 1]
    for choice in torch.randint(0, 3, (length,)).tolist():
        ids.append(int(table[ids[-1], choice]))
    return torch.tensor(ids)


def evaluate(model, ids):
    with torch.no_grad():
        return F.cross_entropy(model(ids[:-2], ids[1:-1]), ids[2:]).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(140)
    ids = corpus(words=80, length=6000)
    train, test = ids[:5000], ids[5000:]
    model = TiedLM(80)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(301):
        start = torch.randint(0, len(train) - 2, (64,))
        loss = F.cross_entropy(model(train[start], train[start + 1]), train[start + 2])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} test {evaluate(model, test):.4f}")


main()
