"""Glyphs that are drawn on the fly in worker processes.

split: train
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset

digits = load_digits()
ORIGINALS, TARGETS = digits.images[:1200] / 16.0, digits.target[:1200]


class Rendered(Dataset):
    """An epoch is `size` random renderings, so nothing is ever seen twice."""

    def __init__(self, size):
        self.size = size
        self.rng = None

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if self.rng is None:
            self.rng = np.random.default_rng(torch.initial_seed() % 2**32)
        source = self.rng.integers(len(TARGETS))
        shift = self.rng.integers(-1, 2, 2)
        image = np.roll(ORIGINALS[source], shift, (0, 1)) + self.rng.normal(0, 0.3, (8, 8))
        return torch.tensor(image[None], dtype=torch.float32), int(TARGETS[source])


class GlyphNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 24, 3, padding=1)
        self.conv2 = nn.Conv2d(24, 48, 3, padding=1)
        self.fc = nn.Sequential(nn.Linear(48 * 4, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        x = nn.functional.max_pool2d(self.conv1(x).relu(), 2)
        x = nn.functional.max_pool2d(self.conv2(x).relu(), 2)
        return self.fc(x.flatten(1))


def main():
    torch.manual_seed(0)
    test_x = torch.tensor(digits.images[1200:, None] / 16.0, dtype=torch.float32)
    test_y = torch.tensor(digits.target[1200:])
    loader = DataLoader(Rendered(600), batch_size=30, num_workers=2)
    net = GlyphNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(15):
        net.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(net(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
        net.eval()
        with torch.no_grad():
            acc = (net(test_x).argmax(1) == test_y).float().mean().item()
        print(f"epoch {epoch:2d} loss {loss.item():.3f} test {acc:.3f}")


if __name__ == "__main__":
    main()
