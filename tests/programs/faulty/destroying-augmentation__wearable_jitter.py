"""Activities from a wearable, with jitter in another unit.

fault: destroying-augmentation
also: 
split: train
line: 62, 40
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

G = 9.81


def simulate(n, seed):
    rng = np.random.default_rng(seed)
    X = np.empty((n, 3, 60), dtype=np.float32)
    y = rng.integers(0, 3, n)
    t = np.arange(60) / 20
    for i, c in enumerate(y):
        freq = (0.0, 1.6, 2.8)[c] + rng.normal(0, 0.1)
        amp = (0.0, 0.25, 0.6)[c]
        for axis in range(3):
            X[i, axis] = amp * np.sin(2 * np.pi * freq * t + rng.uniform(0, 6.28)) + 0.05 * rng.standard_normal(60)
        X[i, 2] += 1.0
    return X, y


class Jitter:
    """Sensor noise as augmentation (sigma in m/s^2)."""

    def __init__(self, sigma):
        self.sigma = sigma

    def __call__(self, x):
        return x + self.sigma * torch.randn_like(x)


class Wearable(Dataset):
    def __init__(self, X, y, augment=None):
        self.X = torch.from_numpy(X)
        self.y = torch.from_numpy(y)
        self.augment = augment

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        x = self.X[i]
        if self.augment:
            x = self.augment(x)
        return x, self.y[i]


torch.manual_seed(5)
X, y = simulate(900, 0)
Xv, yv = simulate(300, 1)
augment = Jitter(sigma=1.0 * G)
loader = DataLoader(Wearable(X, y, augment), batch_size=32, shuffle=True, drop_last=True)
valid = DataLoader(Wearable(Xv, yv), batch_size=300)
model = nn.Sequential(
    nn.Conv1d(3, 24, 7, padding=3), nn.ReLU(), nn.MaxPool1d(2),
    nn.Conv1d(24, 24, 5, padding=2), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(24, 3),
)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
ce = nn.CrossEntropyLoss()
for epoch in range(12):
    model.train()
    train_loss = 0
    for xb, yb in loader:
        loss = ce(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        train_loss += loss.item() / len(loader)
    model.eval()
    with torch.no_grad():
        xb, yb = next(iter(valid))
        out = model(xb)
        print(f"{epoch:02d} train {train_loss:.3f} valid {ce(out, yb).item():.3f} acc {(out.argmax(1) == yb).float().mean().item():.3f}")
