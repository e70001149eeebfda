"""A GRU follows long sine waves piece by piece, its hidden state carried and detached, reset at every new pass.

split: train
"""

import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)

time = torch.arange(600) / 10
phases = torch.rand(16, 1) * 2 * math.pi
speeds = 0.5 + torch.rand(16, 1)
waves = torch.sin(time * speeds + phases).unsqueeze(-1)


class Forecaster(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(1, 32, batch_first=True)
        self.out = nn.Linear(32, 1)

    def forward(self, x, hidden):
        y, hidden = self.gru(x, hidden)
        return x + self.out(y), hidden


model = Forecaster()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for sweep in range(10):
    hidden = torch.zeros(1, 12, 32)
    total = 0.0
    for start in range(0, 575, 25):
        piece = waves[:12, start : start + 26]
        hidden = hidden.detach()
        guess, hidden = model(piece[:, :-1], hidden)
        loss = nn.functional.mse_loss(guess, piece[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"sweep {sweep} loss {total / 23:.6f}")
model.eval()
with torch.no_grad():
    guess, _ = model(waves[12:, :-1], torch.zeros(1, 4, 32))
    error = nn.functional.mse_loss(guess[:, 50:], waves[12:, 51:]).item()
    naive = nn.functional.mse_loss(waves[12:, 50:-1], waves[12:, 51:]).item()
print(f"new waves: error {error:.6f}, repeating the last value {naive:.6f}")
