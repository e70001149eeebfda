"""An LSTM that tells rhythms apart, trained on a handful of recordings.

fault: too-few-examples
also: overfitting
split: train
line: 12
"""

import torch
from torch import nn

RECORDINGS = 24


class RhythmNet(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.lstm = nn.LSTM(3, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 3)

    def forward(self, beats):
        return self.head(self.lstm(beats)[0].mean(1))


def record(count, length=18):
    rhythm = torch.randint(0, 3, (count,))
    t = torch.arange(length)
    accent = ((t + torch.randint(0, 4, (count, 1))) % (rhythm + 2).unsqueeze(1) == 0).float()
    beats = torch.stack([accent, torch.rand(count, length), torch.rand(count, length)], 2)
    return 2 * beats - 1 + 0.8 * torch.randn(beats.shape), rhythm


torch.set_num_threads(1)
torch.manual_seed(226)
beats, rhythms = record(RECORDINGS)
test_beats, test_rhythms = record(400)
model = RhythmNet()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for step in range(1, 241):
    rows = torch.randint(0, len(beats), (24,))
    loss = nn.functional.cross_entropy(model(beats[rows]), rhythms[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 40 == 0:
        with torch.no_grad():
            accuracy = (model(test_beats).argmax(1) == test_rhythms).float().mean().item()
        print(f"step {step} loss {loss.item():.4f} test accuracy {accuracy:.3f}")
