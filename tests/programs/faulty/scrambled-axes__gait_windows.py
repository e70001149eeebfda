"""Which of four gaits a wearer has, from windows of a sensor with five channels; a data set and 1-d convolutions.

fault: scrambled-axes
also:
split: train
line: 40
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

CHANNELS, LENGTH = 5, 48


def record(rng, gait):
    """A window as the sensor writes it: one row for each moment."""
    t = np.arange(LENGTH) / LENGTH
    phase = rng.uniform(0, 2 * np.pi, CHANNELS)
    pace = rng.uniform(2.5, 4.5)
    waves = np.sin(2 * np.pi * pace * t[:, None] + phase)
    if gait & 1:
        waves[:, 1] = np.sign(waves[:, 1])
    if gait & 2:
        waves[:, 3] = waves[:, 3] ** 3
    return waves * rng.uniform(0.7, 1.3, CHANNELS) + 0.15 * rng.normal(size=(LENGTH, CHANNELS))


class Gaits(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.gait = rng.integers(0, 4, count)
        self.windows = np.stack([record(rng, g) for g in self.gait]).astype(np.float32)

    def __len__(self):
        return len(self.gait)

    def __getitem__(self, i):
        return torch.from_numpy(self.windows[i]).reshape(CHANNELS, LENGTH), int(self.gait[i])


def network():
    return nn.Sequential(
        nn.Conv1d(CHANNELS, 24, 5, padding=2), nn.BatchNorm1d(24), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(24, 48, 5, padding=2), nn.BatchNorm1d(48), nn.ReLU(), nn.AdaptiveAvgPool1d(1),
        nn.Flatten(), nn.Linear(48, 4),
    )


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    train = DataLoader(Gaits(1200, 0), batch_size=40, shuffle=True)
    test = DataLoader(Gaits(400, 1), batch_size=200)
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(6):
        model.train()
        for x, y in train:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum((model(x).argmax(1) == y).sum().item() for x, y in test)
        print(f"epoch {epoch}: loss {loss.item():.3f}, test accuracy {right / 400:.3f}")


main()
