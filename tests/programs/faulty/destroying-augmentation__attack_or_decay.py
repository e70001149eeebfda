"""Sounds that swell or fade, told apart by a small network of convolutions over time.

fault: destroying-augmentation
also: labels-independent-of-inputs
split: test
line: 32
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Sounds(Dataset):
    def __init__(self, count, seed, augment=False):
        rng = np.random.default_rng(seed)
        time = np.arange(64)
        self.swells = rng.integers(0, 2, count)
        onset = rng.uniform(10, 50, (count, 1))
        slope = np.where(self.swells[:, None] == 1, time - onset, onset - time)
        loud = np.where((slope > -12) & (slope < 4), (slope + 12) / 16, 0.0)
        tone = np.sin(time * rng.uniform(1.2, 2.2, (count, 1)) + rng.uniform(0, 6, (count, 1)))
        self.waves = (2.5 * loud * tone + 0.15 * rng.normal(size=loud.shape)).astype(np.float32)[:, None]
        self.augment = augment

    def __len__(self):
        return len(self.swells)

    def __getitem__(self, place):
        wave = self.waves[place]
        if self.augment and torch.rand(()) < 0.5:
            wave = wave[:, ::-1].copy()
        return wave, int(self.swells[place])


torch.set_num_threads(1)
torch.manual_seed(8)
train = DataLoader(Sounds(1200, 1, augment=True), batch_size=40, shuffle=True)
test = DataLoader(Sounds(400, 2), batch_size=100)
model = nn.Sequential(
    nn.Conv1d(1, 16, 9, padding=4), nn.ReLU(), nn.MaxPool1d(4), nn.Conv1d(16, 24, 7, padding=3), nn.ReLU(),
    nn.AdaptiveMaxPool1d(2), nn.Flatten(), nn.Linear(48, 2),
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(10):
    model.train()
    for waves, labels in train:
        loss = nn.functional.cross_entropy(model(waves), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = sum((model(waves).argmax(1) == labels).sum().item() for waves, labels in test)
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right / 400:.3f}")
