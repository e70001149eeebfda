"""LSTM that classifies the shape of a noisy wave (sine, square, saw, chirp).

split: test
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

rng = np.random.default_rng(3)
torch.manual_seed(3)
T = 40


def make(n):
    xs, ys = [], []
    t = np.linspace(0, 1, T)
    for _ in range(n):
        c = rng.integers(4)
        f, ph, a = rng.uniform(2, 4), rng.uniform(0, 1), rng.uniform(0.8, 1.2)
        u = f * t + ph
        if c == 0:
            w = np.sin(2 * np.pi * u)
        elif c == 1:
            w = np.sign(np.sin(2 * np.pi * u))
        elif c == 2:
            w = 2 * (u % 1) - 1
        else:
            w = np.sin(2 * np.pi * (f * t ** 2 * 1.8 + ph))
        xs.append(a * w + 0.1 * rng.standard_normal(T))
        ys.append(c)
    return torch.tensor(np.array(xs), dtype=torch.float32).unsqueeze(-1), torch.tensor(ys)


ds = TensorDataset(*make(2400))
train_ds, val_ds = random_split(ds, [2000, 400], generator=torch.Generator().manual_seed(0))
train_dl = DataLoader(train_ds, batch_size=50, shuffle=True)
val_dl = DataLoader(val_ds, batch_size=200)


class WaveLSTM(nn.Module):
    def __init__(self, hidden=40, classes=4):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(self.norm(out.mean(dim=1)))


net = WaveLSTM()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
EPOCHS = 14
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)
loss_fn = nn.CrossEntropyLoss()

for epoch in range(1, EPOCHS + 1):
    net.train()
    tot = 0
    for x, y in train_dl:
        opt.zero_grad()
        loss = loss_fn(net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tot += loss.item() * len(x)
    sched.step()
    net.eval()
    with torch.no_grad():
        vl = vc = 0
        for x, y in val_dl:
            o = net(x)
            vl += loss_fn(o, y).item() * len(x)
            vc += (o.argmax(1) == y).sum().item()
    print(f"epoch {epoch}: train loss {tot / len(train_ds):.4f}, val loss {vl / len(val_ds):.4f}, val acc {vc / len(val_ds):.3f}")
