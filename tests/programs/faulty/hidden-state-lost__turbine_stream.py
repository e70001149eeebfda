"""The state of a turbine from a stream of measurements, read moment by moment.

fault: hidden-state-lost
also:
split: test
line: 35
"""
import argparse

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def streams(count, length, seed):
    rng = np.random.default_rng(seed)
    drift = rng.choice([-0.12, 0.0, 0.12], size=count)
    level = rng.normal(0, 2.5, size=(count, 1))
    signal = level + drift[:, None] * np.arange(length) + rng.normal(0, 0.25, size=(count, length))
    vibration = rng.normal(0, 1.0, size=(count, length))
    labels = np.searchsorted([-0.06, 0.06], drift)
    return torch.tensor(np.stack([signal - signal.mean(), vibration], -1), dtype=torch.float32), torch.tensor(labels)


class Monitor(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(2, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, stream):
        summary = None
        for moment in stream.split(1, dim=1):
            out, state = self.lstm(moment)
            summary = out[:, -1]
        return self.head(summary)


def accuracy(model, loader):
    model.eval()
    with torch.no_grad():
        hits = sum((model(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=4e-3)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(11)
    train = DataLoader(TensorDataset(*streams(1500, 20, 0)), batch_size=50, shuffle=True)
    test = DataLoader(TensorDataset(*streams(500, 20, 1)), batch_size=250)
    model = Monitor()
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(options.epochs):
        model.train()
        for x, y in train:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(f"epoch {epoch + 1} loss {loss.item():.3f} test accuracy {accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()
