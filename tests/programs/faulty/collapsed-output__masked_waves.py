"""Codes of waves that should stay the same when parts of a wave are masked.

fault: collapsed-output
also:
split: train
line: 35
"""

import torch
from torch import nn


def signals(count):
    kind = torch.randint(0, 3, (count,))
    time = torch.linspace(0, 6.28, 32)
    wave = torch.sin((kind[:, None] + 1) * time + 6.28 * torch.rand(count, 1))
    return (wave + 0.1 * torch.randn(count, 32)).unsqueeze(1), kind


torch.set_num_threads(1)
torch.manual_seed(62)
encoder = nn.Sequential(
    nn.Conv1d(1, 16, 5, padding=2),
    nn.ReLU(),
    nn.Conv1d(16, 16, 5, padding=2),
    nn.ReLU(),
    nn.AdaptiveAvgPool1d(1),
    nn.Flatten(),
    nn.Linear(16, 8),
)
optimizer = torch.optim.Adam(encoder.parameters(), lr=3e-3)
for step in range(1, 401):
    clean, kind = signals(64)
    masked = clean * (torch.rand_like(clean) > 0.3)
    loss = (1 - nn.functional.cosine_similarity(encoder(masked), encoder(clean))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        with torch.no_grad():
            codes = nn.functional.normalize(encoder(clean), dim=1)
        nearest = (codes @ codes.T - 9 * torch.eye(64)).argmax(1)
        right = (kind[nearest] == kind).float().mean().item()
        print(f"step {step} loss {loss.item():.6f} spread {codes.std(0).mean():.5f} neighbours {right:.3f}")
