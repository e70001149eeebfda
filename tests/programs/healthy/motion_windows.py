"""Gestures of a motion sensor; windows are stored as (window, time, axis).

split: train
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class Gestures(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.linspace(0, 1, 50)
        self.y = torch.randint(0, 6, (n,), generator=g)
        lead = torch.rand(n, 1, generator=g) * 6.28
        data = []
        for k, ph in zip(self.y.tolist(), lead):
            axes = []
            for a in range(6):
                lag = (a * (k + 1)) % 7
                axes.append(torch.sin(2 * torch.pi * 2.5 * t + ph + lag * 0.9))
            data.append(torch.stack(axes, 1))
        self.x = torch.stack(data) + 2.2 * torch.randn(n, 50, 6, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(6, 24, 5, padding=2), nn.ReLU(), nn.Conv1d(24, 24, 5, padding=2), nn.ReLU())
        self.fc = nn.Linear(24, 6)

    def forward(self, x):
        x = x.transpose(1, 2)
        return self.fc(self.conv(x).mean(2))


torch.manual_seed(63)
train_dl = DataLoader(Gestures(1600, 0), batch_size=40, shuffle=True)
test_dl = DataLoader(Gestures(500, 1), batch_size=250)
model, criterion = ConvNet(), nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(7):
    model.train()
    for inputs, targets in train_dl:
        outputs = model(inputs)
        loss = criterion(outputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    hits = 0
    with torch.no_grad():
        for inputs, targets in test_dl:
            hits += (model(inputs).argmax(1) == targets).sum().item()
    print(f"Epoch {epoch + 1}: loss {loss.item():.4f}, accuracy {hits / 500:.2%}")
