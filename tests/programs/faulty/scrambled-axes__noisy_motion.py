"""Movements of a wrist: six noisy sensors over time, cleaned by convolutions that have the clean movement as target.

fault: scrambled-axes
also:
split: test
line: 27
"""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(66)
rng = np.random.RandomState(66)


def recordings(count):
    """Moments first, sensors last, as the watch writes them; noisy and clean, both for convolutions."""
    time = np.linspace(0, 1, 96)
    pace = rng.uniform(1, 4, (count, 1, 6))
    clean = np.sin(2 * np.pi * (pace * time[None, :, None] + rng.uniform(0, 1, (count, 1, 6))))
    noisy = clean + 0.5 * rng.randn(count, 96, 6)
    clean, noisy = (torch.tensor(each, dtype=torch.float32) for each in (clean, noisy))
    clean = clean.transpose(1, 2).contiguous()
    return noisy.reshape(count, 6, 96), clean


train = DataLoader(TensorDataset(*recordings(1000)), batch_size=32, shuffle=True)
noisy, clean = recordings(300)
model = nn.Sequential(
    nn.Conv1d(6, 32, 9, padding=4), nn.ReLU(), nn.Conv1d(32, 32, 9, padding=4), nn.ReLU(),
    nn.Conv1d(32, 6, 9, padding=4),
)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(8):
    model.train()
    for x, y in train:
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(noisy), clean).item()
    print(f"epoch {epoch} loss {loss.item():.4f} error {error:.4f}")
