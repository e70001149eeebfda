"""A recurrent network that learns after a long plateau which way a pulse wanders.

split: train
"""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class SensorGRU(nn.Module):
    """Input comes as (batch, channels, time), as the conv models in this repo expect it."""

    def __init__(self, channels=6, hidden=32, classes=3):
        super().__init__()
        self.channels = channels
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        b, c, t = x.shape
        x = x.permute(0, 2, 1)
        _, h = self.gru(x)
        return self.fc(h[-1])


def simulate(n, seed):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, 3, (n,), generator=g)
    x = 0.7 * torch.randn(n, 6, 40, generator=g)
    # a pulse wanders over the channels: upwards, downwards, or stays
    start = torch.randint(2, 20, (n,), generator=g)
    ch0 = torch.randint(0, 6, (n,), generator=g)
    for k in range(n):
        for s in range(12):
            step = (s // 2) * (1, -1, 0)[int(y[k])]
            x[k, (int(ch0[k]) + step) % 6, int(start[k]) + s] += 2.0
    return x, y


def fit(model, train, test, epochs=12):
    opt = torch.optim.AdamW(model.parameters(), lr=5e-3)
    ce = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        model.train()
        tot = n = 0
        for x, y in train:
            loss = ce(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            tot += loss.item() * len(y)
            n += len(y)
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in test) / len(test.dataset)
        print(f"epoch {epoch:2d} loss {tot / n:.4f} acc {acc:.3f}")


torch.manual_seed(0)
torch.set_num_threads(1)
fit(SensorGRU(), DataLoader(TensorDataset(*simulate(1200, 1)), 32, shuffle=True), DataLoader(TensorDataset(*simulate(400, 2)), 100))
