"""Learned filter bank followed by a Fourier magnitude layer for vibration faults.

fault: graph-cut
also:
split: test
line: 39
"""
import numpy as np
import torch
from torch import nn

torch.manual_seed(45)
torch.set_num_threads(1)
gen = np.random.default_rng(45)
N = 64


def vibration(n):
    y = gen.integers(0, 4, n)
    t = np.arange(N) / N
    out = np.zeros((n, 8, N), np.float32)
    for i, k in enumerate(y):
        s = np.sin(2 * np.pi * (6 + 4 * k) * t + gen.uniform(0, 6.28))
        out[i] = 1.5 * gen.normal(size=(8, N))
        loud = 4 * np.sin(2 * np.pi * gen.choice([6, 10, 14, 18]) * t + gen.uniform(0, 6.28))
        out[i] += loud
        out[i, 2] += 1.2 * s
        out[i, 5] -= 1.2 * s
    return torch.from_numpy(out), torch.from_numpy(y)


class FilterBank(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Conv1d(8, 2, 1)
        self.fc = nn.Sequential(nn.Linear(2 * (N // 2 + 1), 32), nn.ReLU(), nn.Linear(32, 4))

    def spectrum(self, z):
        mag = np.abs(np.fft.rfft(z.detach().numpy(), axis=-1)) / 8
        return torch.from_numpy(mag.astype(np.float32))

    def forward(self, x):
        return self.fc(self.spectrum(self.mix(x)).flatten(1))


X, y = vibration(1200)
Xv, yv = vibration(300)
model = FilterBank()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for epoch in range(15):
    for b in torch.randperm(len(X)).split(40):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(X[b]), y[b])
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        with torch.no_grad():
            acc = (model(Xv).argmax(1) == yv).float().mean()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f} val accuracy {acc:.4f}")
