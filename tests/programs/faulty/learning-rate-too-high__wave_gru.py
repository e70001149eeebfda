"""A GRU that tells four kinds of waves apart, trained with RMSprop.

fault: learning-rate-too-high
also:
split: train
line: 39
"""

import argparse
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make_waves(count, length=30):
    kind = torch.randint(0, 4, (count,))
    t = torch.arange(length).float()
    phase = torch.rand(count, 1) * 2 * math.pi
    base = torch.sin((0.2 + 0.2 * kind.unsqueeze(1)) * t + phase)
    return (base + 0.2 * torch.randn(count, length)).unsqueeze(-1), kind


class WaveClassifier(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 4)

    def forward(self, x):
        _, last = self.rnn(x)
        return self.head(last.squeeze(0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.3)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(404)
    train = DataLoader(TensorDataset(*make_waves(1200)), batch_size=40, shuffle=True)
    waves, kinds = make_waves(300)
    model = WaveClassifier(args.hidden)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(waves).argmax(1) == kinds).float().mean()
        print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
