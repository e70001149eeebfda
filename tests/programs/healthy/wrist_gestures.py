"""Gestures from the six axes of a wrist sensor, told by an LSTM.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(3)
np.random.seed(3)

GESTURES = ["raise", "lower", "shake_early", "shake_late"]
T, F = 30, 6


def record(label):
    t = np.linspace(0, 1, T)
    sig = 0.3 * np.random.randn(T, F)
    phase = np.random.rand() * 2 * np.pi
    amp = np.random.uniform(1.2, 1.8)
    if label == 0:
        sig[:, 0] += amp * np.exp(-((t - 0.25) / 0.1) ** 2)
        sig[:, 1] += amp * np.exp(-((t - 0.65) / 0.1) ** 2)
    elif label == 1:
        sig[:, 1] += amp * np.exp(-((t - 0.25) / 0.1) ** 2)
        sig[:, 0] += amp * np.exp(-((t - 0.65) / 0.1) ** 2)
    elif label == 2:
        sig[:, 2] += amp * np.sin(40 * t + phase) * (t < 0.4)
    else:
        sig[:, 2] += amp * np.sin(40 * t + phase) * ((t > 0.5) & (t < 0.85))
    return sig


labels = np.random.randint(0, len(GESTURES), 1200)
signals = np.stack([record(l) for l in labels])
signals = (signals - signals[:900].mean((0, 1))) / signals[:900].std((0, 1))
x_all, y_all = torch.tensor(signals, dtype=torch.float32), torch.tensor(labels)
train_set = TensorDataset(x_all[:900], y_all[:900])
test_set = TensorDataset(x_all[900:], y_all[900:])
train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
test_loader = DataLoader(test_set, batch_size=100)


class GestureNet(nn.Module):
    def __init__(self, n_features=F, hidden=48, n_classes=4):
        super().__init__()
        self.lstm = nn.LSTM(n_features, hidden, num_layers=1, batch_first=True)
        self.drop = nn.Dropout(0.1)
        self.fc = nn.Linear(hidden, n_classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        last = out[:, -1, :]
        return self.fc(self.drop(last))


net = GestureNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)

for epoch in range(1, 26):
    net.train()
    total = 0.0
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        total += loss.item() * len(y)

    net.eval()
    hits = 0
    with torch.no_grad():
        for x, y in test_loader:
            hits += (net(x).argmax(1) == y).sum().item()
    print(f"epoch {epoch:2d}  loss {total / len(train_set):.4f}  test acc {hits / len(test_set):.3f}")
