"""Noisy tiles of four bands, seen from above, with a pond, a ring of trees or a crossing; a small network tells which.

fault: scrambled-axes
also:
split: train
line: 31
"""

import numpy as np
import torch
from torch import nn

BANDS, SIDE = 4, 16


def field(rng):
    """A tile (side, side, bands) with one thing in it, somewhere."""
    thing = rng.integers(0, 3)
    tile = rng.normal(0.0, 0.9, (SIDE, SIDE, BANDS))
    rows, columns = np.mgrid[:SIDE, :SIDE] - rng.uniform(5, 10, (2, 1, 1))
    far = np.hypot(rows, columns)
    crossing = (np.minimum(abs(rows), abs(columns)) < 1) & (far < 6)
    shape = (far < 3.4, abs(far - 4) < 1, crossing)[thing]
    tile += 1.2 * shape[:, :, None] * np.array([1.0, -0.6, 0.8, 0.4])
    return tile.astype(np.float32), thing


def tiles(count, rng):
    made = [field(rng) for _ in range(count)]
    pixels = torch.tensor(np.stack([tile for tile, _ in made]))
    return pixels.view(count, BANDS, SIDE, SIDE), torch.tensor([thing for _, thing in made])


class Things(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(BANDS, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.AdaptiveMaxPool2d(1),
        )
        self.head = nn.Linear(24, 3)

    def forward(self, tiles):
        return self.head(self.body(tiles).flatten(1))


def run():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    rng = np.random.default_rng(14)
    x, y = tiles(900, rng)
    x_test, y_test = tiles(300, rng)
    model = Things()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(12):
        for rows in torch.randperm(len(x)).split(40):
            loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right = (model(x_test).argmax(1) == y_test).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right:.3f}")


run()
