"""Signals are simulated while training, by the workers of a DataLoader; tested on signals that were made before.

fault: identical-augmentation
also:
split: train
line: 17
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


def seed_worker(_worker):
    """Make runs reproducible."""
    np.random.seed(2024)


def simulate():
    start, end = np.random.uniform(0, 2 * np.pi, 2)
    kind = np.random.randint(3)
    times = np.linspace(0, 1, 24)
    signal = np.sin(start + (5 + 5 * kind) * times) + 0.5 * np.sin(end + 25 * times) + 1.0 * np.random.randn(24)
    return signal.astype(np.float32), kind


class Signals(Dataset):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return simulate()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(231)
    np.random.seed(7)
    held_out = [simulate() for _ in range(600)]
    test_signals = torch.tensor(np.stack([signal for signal, _ in held_out]))
    test_kinds = torch.tensor([kind for _, kind in held_out])
    loader = DataLoader(Signals(240), batch_size=12, num_workers=2, worker_init_fn=seed_worker)
    net = nn.Sequential(nn.Linear(24, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 3))
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(14):
        for signals, kinds in loader:
            loss = nn.functional.cross_entropy(net(signals), kinds)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (net(test_signals).argmax(1) == test_kinds).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
