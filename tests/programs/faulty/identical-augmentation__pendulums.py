"""Pendulums drawn by workers.

fault: identical-augmentation
also: 
split: test
line: 21
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class PendulumStream(IterableDataset):
    """Endless recordings of damped swings with random start, noise, gaps; target: (frequency, damping)."""

    def __init__(self, n_samples, steps=48, seed=0):
        self.n_samples = n_samples
        self.t = np.linspace(0, 4, steps)
        self.rng = np.random.default_rng(seed)

    def sample(self):
        r = self.rng
        freq, damp = r.uniform(0.5, 3.0), r.uniform(0.0, 1.0)
        wave = r.uniform(0.7, 1.3) * np.exp(-damp * self.t) * np.cos(2 * np.pi * freq * self.t + r.uniform(0, 6.28))
        wave += r.normal(0, 0.2, self.t.shape)
        gap = r.integers(0, len(self.t) - 6)
        wave[gap:gap + 6] = 0.0
        target = np.array([(freq - 1.75) / 0.72, (damp - 0.5) / 0.29])
        return wave.astype(np.float32)[None], target.astype(np.float32)

    def __iter__(self):
        info = get_worker_info()
        share = self.n_samples if info is None else self.n_samples // info.num_workers
        for _ in range(share):
            yield self.sample()


def make_model():
    return nn.Sequential(
        nn.Conv1d(1, 24, 7, stride=2, padding=3), nn.ReLU(),
        nn.Conv1d(24, 48, 5, stride=2, padding=2), nn.ReLU(),
        nn.Conv1d(48, 48, 3, stride=2, padding=1), nn.ReLU(),
        nn.Flatten(), nn.Linear(48 * 6, 64), nn.ReLU(), nn.Linear(64, 2),
    )


def validate(model, x, y):
    model.eval()
    with torch.no_grad():
        err = (model(x) - y).pow(2)
    return err.mean(0)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    train_loader = DataLoader(PendulumStream(512, seed=1), batch_size=16, num_workers=4)
    held = PendulumStream(600, seed=2)
    x_val, y_val = (torch.from_numpy(np.stack(a)) for a in zip(*held))

    model = make_model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-4)
    epochs = 24
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(1, epochs + 1):
        model.train()
        losses = []
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        scheduler.step()
        if epoch % 4 == 0:
            f, d = validate(model, x_val, y_val).tolist()
            print(f"epoch {epoch:2d} train mse {np.mean(losses):.4f} | val mse frequency {f:.4f} damping {d:.4f}")


if __name__ == "__main__":
    main()
