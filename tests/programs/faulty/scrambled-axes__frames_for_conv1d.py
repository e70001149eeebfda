"""Sensor recordings of several channels, classified by which channel the last one follows.

fault: scrambled-axes
also:
split: test
line: 30
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

TIME, CHANNELS = 40, 6


class Activity(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(CHANNELS, 16, 5, padding=2),
            nn.ReLU(),
            nn.Conv1d(16, 16, 5, padding=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(1),
            nn.Flatten(),
            nn.Linear(16, 4),
        )

    def forward(self, frames):
        return self.net(frames.reshape(len(frames), CHANNELS, TIME))


def record(count):
    kind = torch.randint(0, 4, (count,))
    time = torch.linspace(0, 6, TIME)[None, :, None]
    waves = torch.sin(time * (1 + 2 * torch.rand(count, 1, CHANNELS)) + 6.28 * torch.rand(count, 1, CHANNELS))
    rows = torch.arange(count)
    waves[rows, :, 5] = waves[rows, :, kind]
    return waves + 0.2 * torch.randn(count, TIME, CHANNELS), kind


torch.set_num_threads(1)
torch.manual_seed(112)
loader = DataLoader(TensorDataset(*record(1200)), batch_size=40, shuffle=True)
test_frames, test_kinds = record(400)
model = Activity()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
for epoch in range(12):
    for frames, kinds in loader:
        loss = nn.functional.cross_entropy(model(frames), kinds)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(test_frames).argmax(1) == test_kinds).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
