"""Kinds of waves told by a recurrent network.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(99)
rng = np.random.RandomState(99)

KINDS = 4


def wave(kind, length):
    t = np.arange(length)
    period = rng.uniform(8, 14)
    phase = rng.uniform(0, 2 * np.pi)
    base = 2 * np.pi * t / period + phase
    if kind == 0:
        s = np.sin(base)
    elif kind == 1:
        s = np.sign(np.sin(base))
    elif kind == 2:
        s = 2 * ((base / (2 * np.pi)) % 1.0) - 1
    else:
        s = np.sin(base) * np.sin(base * 0.25)
    return s + rng.normal(0, 0.1, length)


def build(n, length=40):
    kinds = rng.randint(0, KINDS, n)
    series = np.stack([wave(k, length) for k in kinds]).astype(np.float32)
    return TensorDataset(torch.from_numpy(series).unsqueeze(-1), torch.from_numpy(kinds.astype(np.int64)))


class WaveLSTM(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, KINDS)

    def forward(self, x):
        out, (h, c) = self.lstm(x)
        return self.fc(out.mean(dim=1))


train_loader = DataLoader(build(1600), batch_size=32, shuffle=True)
test_loader = DataLoader(build(400), batch_size=200)

net = WaveLSTM()
loss_fn = nn.CrossEntropyLoss()
opt = torch.optim.SGD(net.parameters(), lr=0.2, momentum=0.9)
max_norm = 1.0

for epoch in range(12):
    net.train()
    seen, total_loss = 0, 0.0
    for series, kind in train_loader:
        opt.zero_grad()
        loss = loss_fn(net(series), kind)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), max_norm)
        opt.step()
        total_loss += loss.item() * len(kind)
        seen += len(kind)

    net.eval()
    right, count = 0, 0
    with torch.no_grad():
        for series, kind in test_loader:
            right += (net(series).argmax(1) == kind).sum().item()
            count += len(kind)
    print(f"epoch {epoch:02d} train_loss={total_loss / seen:.4f} test_acc={right / count:.4f}")

print(f"test accuracy = {right / count:.4f}")
