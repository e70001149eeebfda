"""Frequencies of waves by an LSTM.

fault: samples-mixed
also:
split: test
line: 18, 23, 24
"""

import argparse
import math
import torch
import torch.nn as nn


class WaveClassifier(nn.Module):
    def __init__(self, n_features, hidden, n_classes):
        super().__init__()
        self.lstm = nn.LSTM(n_features, hidden, num_layers=1)
        self.norm = nn.LayerNorm(hidden)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(self.norm(out[:, -1]))


def make_waves(n, steps, seed):
    """rising chirp, falling chirp or steady tone, with a random phase"""
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, steps)
    label = torch.randint(0, 3, (n,), generator=g)
    phase = torch.rand(n, 1, generator=g) * 2 * math.pi
    f0 = torch.tensor([2.0, 8.0, 5.0])[label].unsqueeze(1)
    slope = torch.tensor([3.0, -3.0, 0.0])[label].unsqueeze(1)
    wave = torch.sin(2 * math.pi * (f0 * t + slope * t ** 2) + phase)
    wave = wave + 0.1 * torch.randn(n, steps, generator=g)
    return wave.unsqueeze(-1), label


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=30)
    p.add_argument("--hidden", type=int, default=48)
    p.add_argument("--epochs", type=int, default=20)
    p.add_argument("--batch-size", type=int, default=50)
    a = p.parse_args()
    torch.manual_seed(0)
    X, y = make_waves(1500, a.steps, 1)
    Xv, yv = make_waves(400, a.steps, 2)
    model = WaveClassifier(1, a.hidden, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(a.epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(X)).split(a.batch_size):
            optimizer.zero_grad()
            loss = criterion(model(X[idx]), y[idx])
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item() * len(idx)
        if epoch % 4 == 3:
            model.eval()
            with torch.no_grad():
                acc = (model(Xv).argmax(1) == yv).float().mean().item()
            print(f"epoch {epoch + 1}: loss {total / len(X):.3f} val acc {acc:.3f}")


if __name__ == "__main__":
    main()
