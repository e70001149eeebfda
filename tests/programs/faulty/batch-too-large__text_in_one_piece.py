"""A GRU that classifies sequences of letters, four passes over the data.

fault: batch-too-large
also: stopped-early, learning-rate-too-low
split: test
line: 38
"""

import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

LETTERS = 12


class LetterNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(LETTERS, 16)
        self.gru = nn.GRU(16, 32, batch_first=True)
        self.head = nn.Linear(32, 3)

    def forward(self, letters):
        return self.head(self.gru(self.embedding(letters))[0].mean(1))


def words(count, length=10):
    kind = torch.randint(0, 3, (count,))
    letters = torch.randint(0, LETTERS, (count, length))
    typical = kind.unsqueeze(1) * 4 + letters % 4
    return torch.where(torch.rand(count, length) < 0.4, typical, letters), kind


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=1600)
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(252)
    loader = DataLoader(TensorDataset(*words(1600)), batch_size=args.batch_size, shuffle=True)
    test_letters, test_kinds = words(400)
    model = LetterNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        for letters, kinds in loader:
            loss = nn.functional.cross_entropy(model(letters), kinds)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(test_letters).argmax(1) == test_kinds).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


main()
