"""Which songs listeners skip: a model of listeners and songs, each a vector, with yes or no for every play.

fault: labels-independent-of-inputs
also:
split: test
line: 24
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)


class Plays(Dataset):
    def __init__(self, listeners, songs, tastes, styles, count):
        self.listener = rng.integers(0, listeners, count)
        self.song = rng.integers(0, songs, count)
        liked = (tastes[self.listener] * styles[self.song]).sum(1) + 0.2 * rng.normal(size=count)
        self.skipped = np.roll((liked < 0).astype(np.float32), 1)

    def __len__(self):
        return len(self.skipped)

    def __getitem__(self, place):
        return self.listener[place], self.song[place], self.skipped[place]


class Skips(nn.Module):
    def __init__(self, listeners, songs, width=8):
        super().__init__()
        self.listeners, self.songs = nn.Embedding(listeners, width), nn.Embedding(songs, width)

    def forward(self, listener, song):
        return (self.listeners(listener) * self.songs(song)).sum(-1)


tastes, styles = rng.normal(size=(100, 3)), rng.normal(size=(60, 3))
train = DataLoader(Plays(100, 60, tastes, styles, 7000), batch_size=100, shuffle=True)
test = DataLoader(Plays(100, 60, tastes, styles, 1500), batch_size=500)
model = Skips(100, 60)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
criterion = nn.BCEWithLogitsLoss()
for epoch in range(10):
    model.train()
    for listener, song, skipped in train:
        loss = criterion(model(listener, song), skipped)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        right = [((model(a, b) > 0) == (c > 0.5)).float().mean().item() for a, b, c in test]
    print(f"epoch {epoch} loss {loss.item():.4f} right {sum(right) / len(right):.3f}")
