"""Four kinds of tones, by steps instead of epochs.

fault: repeated-batch
also:
split: train
line: 43
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Waves(Dataset):
    """Short tones: sine, square, saw and triangle, random pitch and phase, noise on top."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(0, 4, (n,), generator=g)
        pitch = torch.rand(n, 1, generator=g) * 6 + 3
        phase = torch.rand(n, 1, generator=g)
        t = (torch.linspace(0, 1, 128) * pitch + phase) % 1.0
        forms = torch.stack([torch.sin(2 * torch.pi * t), torch.sign(0.5 - t), 2 * t - 1, 4 * (t - 0.5).abs() - 1])
        self.wave = forms[self.kind, torch.arange(n)] + 0.2 * torch.randn(n, 128, generator=g)

    def __len__(self):
        return len(self.kind)

    def __getitem__(self, i):
        return self.wave[i][None], self.kind[i]


def main():
    torch.manual_seed(17)
    net = nn.Sequential(
        nn.Conv1d(1, 16, 9, padding=4), nn.ReLU(), nn.MaxPool1d(4),
        nn.Conv1d(16, 32, 5, padding=2), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten(), nn.Linear(32, 4))
    loader = DataLoader(Waves(1920, 0), batch_size=32, shuffle=True)
    val = DataLoader(Waves(400, 1), batch_size=100)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    loss_fn = nn.CrossEntropyLoss()
    max_steps = 360
    x, y = next(iter(loader))
    for step in range(1, max_steps + 1):
        loss = loss_fn(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            with torch.no_grad():
                acc = sum((net(a).argmax(1) == b).sum().item() for a, b in val) / 400
            print(f"step {step} loss {loss.item():.4f} val acc {acc:.3f}")


if __name__ == "__main__":
    main()
