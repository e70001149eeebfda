"""Activities out of sensors.

fault: preprocessing-differs
also: 
split: train
line: 54
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)


def simulate(n, rng, T=30):
    """Accelerometer-like recordings (milli-g) of four activities."""
    t = np.arange(T) / 10.0
    xs, ys = [], []
    for _ in range(n):
        k = rng.integers(4)
        freq = [0.3, 0.9, 1.6, 2.4][k] * rng.uniform(0.85, 1.15)
        phase = rng.uniform(0, 2 * np.pi)
        a = np.sin(2 * np.pi * freq * t + phase)
        b = np.cos(4 * np.pi * freq * t + phase)
        c = rng.normal(0, 1, T) * (0.3 + 0.2 * k)
        sig = np.stack([980 + 150 * a, 40 + 60 * b, -200 + 80 * c], 1) + rng.normal(0, 25, (T, 3))
        xs.append(sig)
        ys.append(k)
    return np.array(xs, dtype=np.float32), np.array(ys)


class ActivityNet(nn.Module):
    def __init__(self, channels=3, hidden=32, classes=4):
        super().__init__()
        self.gru = nn.GRU(channels, hidden, batch_first=True)
        self.norm = nn.LayerNorm(hidden)
        self.fc = nn.Linear(hidden, classes)

    def forward(self, x):
        out, _ = self.gru(x)
        return self.fc(self.norm(out.mean(1)))


def get_loaders(seed, batch_size=40):
    rng = np.random.default_rng(seed)
    x_tr, y_tr = simulate(1000, rng)
    x_va, y_va = simulate(300, rng)
    mean = x_tr.mean(axis=(0, 1))
    std = x_tr.std(axis=(0, 1))
    x_tr = (x_tr - mean) / std
    train = TensorDataset(torch.from_numpy(x_tr), torch.from_numpy(y_tr))
    valid = TensorDataset(torch.from_numpy(x_va), torch.from_numpy(y_va))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(valid, 100)


def run_epoch(model, loader, criterion, optimizer=None):
    training = optimizer is not None
    model.train(training)
    loss_sum = hits = count = 0
    with torch.set_grad_enabled(training):
        for x, y in loader:
            logits = model(x)
            loss = criterion(logits, y)
            if training:
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
            loss_sum += loss.item() * len(y)
            hits += (logits.argmax(1) == y).sum().item()
            count += len(y)
    return loss_sum / count, hits / count


def main():
    torch.manual_seed(17)
    train_loader, valid_loader = get_loaders(seed=17)
    model = ActivityNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(1, 6):
        tl, ta = run_epoch(model, train_loader, criterion, optimizer)
        vl, va = run_epoch(model, valid_loader, criterion)
        print(f"{epoch} train {tl:.3f}/{ta:.3f}  valid {vl:.3f}/{va:.3f}")


if __name__ == "__main__":
    main()
