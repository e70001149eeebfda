"""Chords by their twelve notes.

fault: excessive-dropout
also:
split: test
line: 27
"""

import torch
import torch.nn as nn

torch.manual_seed(14)


def spectra(n):
    """Log-power spectra of chords: major, minor, diminished, augmented; unknown root."""
    thirds = torch.tensor([[0, 4, 7], [0, 3, 7], [0, 3, 6], [0, 4, 8]])
    quality = torch.randint(0, 4, (n,))
    root = torch.randint(0, 12, (n, 1))
    notes = (root + thirds[quality]) % 12
    chroma = torch.zeros(n, 12).scatter_(1, notes, 1.0)
    chroma = chroma * (0.7 + 0.6 * torch.rand(n, 12)) + 0.15 * torch.randn(n, 12)
    return (chroma - 0.25) / 0.45, quality


class Net(nn.Module):
    def __init__(self, hidden=160, keep=0.9):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(12, hidden), nn.ReLU(), nn.Dropout(keep),
            nn.Linear(hidden, hidden), nn.ReLU(), nn.Dropout(keep),
            nn.Linear(hidden, 4))

    def forward(self, x):
        return self.layers(x)


x, y = spectra(4000)
xt, yt = spectra(800)
model, lossf = Net(), nn.CrossEntropyLoss()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
best = 0.0
for epoch in range(1, 13):
    model.train()
    for rows in torch.randperm(4000).split(64):
        opt.zero_grad()
        loss = lossf(model(x[rows]), y[rows])
        loss.backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        acc = (model(xt).argmax(1) == yt).float().mean().item()
        trn = (model(x).argmax(1) == y).float().mean().item()
    best = max(best, acc)
    print(f"{epoch:>2} loss={loss.item():.3f} train={trn:.3f} test={acc:.3f} best={best:.3f}")
