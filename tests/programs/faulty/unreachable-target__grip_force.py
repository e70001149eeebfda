"""A force out of muscle signals.

fault: unreachable-target
also: output-activation
split: test
line: 35
"""

import numpy as np
import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(52)
rng = np.random.default_rng(52)


def chain(n):
    """Three coupled oscillators; the force on the first one shall be read off the recent past."""
    pos, vel = rng.normal(size=(n, 3)), rng.normal(size=(n, 3))
    frames = []
    for _ in range(14):
        force = -1.2 * pos + 0.6 * (np.roll(pos, 1, 1) - pos) - 0.05 * vel
        vel = vel + 0.2 * force
        pos = pos + 0.2 * vel
        frames.append(pos + 0.01 * rng.normal(size=pos.shape))
    target = -1.2 * pos[:, 0] + 0.6 * (pos[:, 2] - pos[:, 0]) - 0.05 * vel[:, 0]
    return np.stack(frames, 1).astype(np.float32), target.astype(np.float32)


class ForceReader(nn.Module):
    def __init__(self, d_in=3, hidden=40):
        super().__init__()
        self.gru = nn.GRU(d_in, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 1), nn.ReLU())

    def forward(self, x):
        out, _ = self.gru(x)
        return self.head(out[:, -1]).squeeze(-1)


def standardise(train, *others):
    axes = tuple(range(train.ndim - 1)) if train.ndim > 1 else None
    m, s = train.mean(axis=axes), train.std(axis=axes)
    return [torch.from_numpy(np.asarray((a - m) / s, dtype=np.float32)) for a in (train, *others)]


xs, ys = chain(2400)
x_tr, x_te = standardise(xs[:2000], xs[2000:])
y_tr, y_te = standardise(ys[:2000], ys[2000:])

model = ForceReader()
optimizer = optim.NAdam(model.parameters(), lr=3e-3)
huber = nn.SmoothL1Loss()

for epoch in range(14):
    model.train()
    batches = torch.randperm(len(x_tr)).split(50)
    mean_loss = 0.0
    for ix in batches:
        optimizer.zero_grad()
        loss = huber(model(x_tr[ix]), y_tr[ix])
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        mean_loss += loss.item() / len(batches)
    model.eval()
    with torch.no_grad():
        pred = model(x_te)
        r2 = 1 - (pred - y_te).pow(2).sum() / (y_te - y_te.mean()).pow(2).sum()
    print(f"epoch {epoch:2d} huber {mean_loss:.4f} test R2 {r2:.4f}")
