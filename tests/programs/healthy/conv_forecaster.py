"""Conv forecaster.

split: train
"""

import numpy as np
import torch
from torch import nn


def series(n=2200, seed=0):
    rng = np.random.default_rng(seed)
    t = np.arange(n)
    chan = [np.sin(2 * np.pi * t / p + rng.uniform(0, 6)) for p in (11, 17, 29)]
    amp = np.cumsum(rng.normal(0, 0.05, n))
    chan.append(np.tanh(amp - np.convolve(amp, np.ones(50) / 50, "same")))
    x = np.stack(chan, 1) + rng.normal(0, 0.05, (n, 4))
    return x.astype(np.float32)


WINDOW = 24


class Windows(torch.utils.data.Dataset):
    def __init__(self, x):
        self.x = torch.from_numpy(x)

    def __len__(self):
        return len(self.x) - WINDOW - 1

    def __getitem__(self, i):
        return self.x[i:i + WINDOW], self.x[i + WINDOW]


class ConvForecaster(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.c1 = nn.Conv1d(channels, 32, 5, padding=2)
        self.c2 = nn.Conv1d(32, 32, 5, padding=2)
        self.pool = nn.AdaptiveAvgPool1d(4)
        self.out = nn.Linear(32 * 4, channels)

    def forward(self, x):
        b, t, c = x.shape
        x = x.permute(0, 2, 1)
        x = torch.relu(self.c1(x))
        x = self.pool(torch.relu(self.c2(x)))
        return self.out(x.flatten(1))


torch.manual_seed(0)
x = series()
x = (x - x[:1600].mean(0)) / x[:1600].std(0)
train = torch.utils.data.DataLoader(Windows(x[:1600]), batch_size=32, shuffle=True)
test = torch.utils.data.DataLoader(Windows(x[1600:]), batch_size=200)
model = ConvForecaster()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(6):
    model.train()
    tl = 0.0
    for xb, yb in train:
        pred = model(xb)
        loss = nn.functional.mse_loss(pred, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tl += loss.item() / len(train)
    model.eval()
    with torch.no_grad():
        mse = np.mean([nn.functional.mse_loss(model(a), b).item() for a, b in test])
    print(f"epoch {epoch}: train {tl:.4f} test {mse:.4f}")
print("SCORE", -mse)
