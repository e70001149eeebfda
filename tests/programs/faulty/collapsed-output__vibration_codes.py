"""Self-supervised codes of machine vibrations: windows of one recording get the same code.

fault: collapsed-output
also:
split: test
line: 51
"""

import math

import torch
import torch.nn.functional as F
from sklearn.linear_model import LogisticRegression
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(314)
SPAN = 48


def recording(states):
    """Pieces of two windows in a row; each state of the machine has its own two tones."""
    time = torch.arange(2 * SPAN).float()
    tones = torch.tensor([[0.11, 0.31], [0.13, 0.27], [0.17, 0.41], [0.19, 0.36], [0.23, 0.29]])
    phase = 2 * math.pi * torch.rand(len(states), 2, 1)
    waves = torch.sin(2 * math.pi * tones[states].unsqueeze(-1) * time + phase).sum(1)
    return (waves + 0.3 * torch.randn(len(states), 2 * SPAN)).view(-1, 2, 1, SPAN)


class Encoder(nn.Module):
    def __init__(self, code=32):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 24, 9, padding=4), nn.BatchNorm1d(24), nn.ReLU(),
            nn.Conv1d(24, 24, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(),
        )
        self.project = nn.Linear(24, code)

    def forward(self, window):
        return self.project(self.conv(window))


encoder = Encoder()
predictor = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 32))
optimizer = torch.optim.Adam([*encoder.parameters(), *predictor.parameters()], lr=1e-3)

for step in range(1, 401):
    pair = recording(torch.randint(0, 5, (64,)))
    now = F.normalize(predictor(encoder(pair[:, 0])), dim=1)
    after = F.normalize(encoder(pair[:, 1]), dim=1)
    loss = (2 - 2 * (now * after).sum(dim=1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        encoder.eval()
        with torch.no_grad():
            states = torch.randint(0, 5, (600,))
            codes = F.normalize(encoder(recording(states)[:, 0]), dim=1)
        encoder.train()
        probe = LogisticRegression(max_iter=200).fit(codes[:400].numpy(), states[:400].numpy())
        score = probe.score(codes[400:].numpy(), states[400:].numpy())
        print(f"step {step} loss {loss.item():.5f} spread {codes.std(0).mean():.4f} probe {score:.3f}")
