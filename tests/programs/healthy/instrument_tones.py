"""Classify short synthetic instrument tones from the raw waveform with a 1-D CNN.

split: test
"""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

SR, LENGTH = 4000, 512
HARMONICS = {                       # relative strength of partials 1..5
    "flute": [1.0, 0.2, 0.05, 0.0, 0.0],
    "clarinet": [1.0, 0.0, 0.6, 0.0, 0.35],
    "violin": [1.0, 0.7, 0.5, 0.4, 0.3],
    "horn": [0.5, 1.0, 0.4, 0.1, 0.0],
}


def synth(n, rng):
    names = list(HARMONICS)
    t = np.arange(LENGTH) / SR
    xs, ys = [], []
    for _ in range(n):
        k = rng.integers(len(names))
        f0 = rng.uniform(110, 330)
        wave = sum(a * rng.uniform(0.8, 1.2) * np.sin(2 * np.pi * f0 * (h + 1) * t + rng.uniform(0, 2 * np.pi))
                   for h, a in enumerate(HARMONICS[names[k]]))
        wave = wave * np.exp(-rng.uniform(0, 6) * t) + rng.normal(0, 0.1, LENGTH)
        xs.append(wave / wave.std())
        ys.append(k)
    return torch.tensor(np.array(xs), dtype=torch.float32)[:, None], torch.tensor(ys)


def make_model():
    return nn.Sequential(
        nn.Conv1d(1, 16, 31, stride=2, padding=15), nn.BatchNorm1d(16), nn.ReLU(),
        nn.Conv1d(16, 32, 9, stride=2, padding=4), nn.BatchNorm1d(32), nn.ReLU(),
        nn.Conv1d(32, 32, 9, stride=2, padding=4), nn.BatchNorm1d(32), nn.ReLU(),
        nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(32, 4),
    )


def train_one_epoch(model, loader, opt, criterion):
    model.train()
    total = 0.0
    for x, y in loader:
        opt.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        opt.step()
        total += loss.item() * len(y)
    return total / len(loader.dataset)


@torch.no_grad()
def accuracy(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(4)
    rng = np.random.default_rng(4)
    x_tr, y_tr = synth(1500, rng)
    x_va, y_va = synth(300, rng)
    x_te, y_te = synth(400, rng)
    loader = DataLoader(TensorDataset(x_tr, y_tr), batch_size=50, shuffle=True)
    model = make_model()
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.MultiStepLR(opt, [12, 16], gamma=0.2)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, 19):
        loss = train_one_epoch(model, loader, opt, criterion)
        sched.step()
        if epoch % 3 == 0:
            print(f"epoch {epoch}: loss {loss:.4f}, val accuracy {accuracy(model, x_va, y_va):.4f}")
    print(f"test accuracy {accuracy(model, x_te, y_te):.4f}")


if __name__ == "__main__":
    main()
