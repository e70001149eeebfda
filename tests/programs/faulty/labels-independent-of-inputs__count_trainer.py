"""Objects in a picture are counted.

fault: labels-independent-of-inputs
also:
split: test
line: 65, 66, 69
"""

import numpy as np
import torch
import torch.nn as nn

CONFIG = {
    "seed": 7,
    "image_size": 24,
    "max_objects": 8,
    "n_train": 1600,
    "n_val": 400,
    "batch_size": 64,
    "epochs": 16,
    "lr": 2e-3,
    "width": 12,
}


def render(rng, n, size, max_objects):
    images = np.zeros((n, 1, size, size), dtype=np.float32)
    counts = rng.integers(0, max_objects + 1, size=n)
    yy, xx = np.mgrid[0:size, 0:size]
    for i, c in enumerate(counts):
        for _ in range(c):
            cy, cx = rng.uniform(2, size - 2, size=2)
            images[i, 0] += np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * 1.2 ** 2))
    gain = rng.uniform(0.8, 1.2, size=(n, 1, 1, 1))
    images = images * gain + 0.05 * rng.normal(size=images.shape)
    return images.astype(np.float32), counts.astype(np.float32)


class CountNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.density = nn.Conv2d(2 * width, 1, 1)

    def forward(self, x):
        return self.density(self.features(x)).sum(dim=(1, 2, 3))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        torch.manual_seed(cfg["seed"])
        self.rng = np.random.default_rng(cfg["seed"])
        size, m = cfg["image_size"], cfg["max_objects"]
        self.images, self.counts = render(self.rng, cfg["n_train"], size, m)
        self.val_images, self.val_counts = render(self.rng, cfg["n_val"], size, m)
        self.model = CountNet(cfg["width"])
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg["lr"])
        self.criterion = nn.MSELoss()

    def batches(self):
        order = self.rng.permutation(len(self.images))
        self.images = self.images[order]
        bs = self.cfg["batch_size"]
        for s in range(0, len(self.images), bs):
            yield torch.from_numpy(self.images[s:s + bs]), torch.from_numpy(self.counts[s:s + bs])

    def train_epoch(self):
        self.model.train()
        total = 0.0
        for x, y in self.batches():
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), y)
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(x)
        return total / len(self.images)

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        pred = self.model(torch.from_numpy(self.val_images))
        return (pred - torch.from_numpy(self.val_counts)).abs().mean().item()

    def fit(self):
        for epoch in range(self.cfg["epochs"]):
            loss = self.train_epoch()
            print(f"epoch {epoch:2d} train_mse {loss:.3f} val_mae {self.validate():.3f}")
        return self.validate()


if __name__ == "__main__":
    mae = Trainer(CONFIG).fit()
    print(f"final val MAE (lower is better): {mae:.3f}")
