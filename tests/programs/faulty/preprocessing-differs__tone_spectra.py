"""Instrument recognition from short synthetic tones.

fault: preprocessing-differs
also:
split: train
line: 42, 43
"""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

SR, N = 4000, 512
TIMBRES = np.array([[1.0, .5, .25, .12, .06], [1.0, .05, .5, .05, .3], [.4, 1.0, .3, .8, .1], [1.0, .9, .8, .7, .6]])


def synth(count, rng):
    labels = rng.integers(0, len(TIMBRES), count)
    t = np.arange(N) / SR
    waves = np.zeros((count, N))
    for i, lab in enumerate(labels):
        f0 = rng.uniform(110, 180)
        loud = 10 ** rng.uniform(-1.0, 1.0)
        for h, amp in enumerate(TIMBRES[lab], 1):
            waves[i] += amp * rng.uniform(0.6, 1.4) * np.sin(2 * np.pi * f0 * h * t + rng.uniform(0, 6.28))
        waves[i] = loud * (waves[i] + 0.1 * rng.normal(size=N))
    return waves, labels


def spectrum(waves):
    window = np.hanning(N)
    return np.abs(np.fft.rfft(waves * window, axis=1))[:, :128]


def prepare(rng, n_train, n_val):
    w, y = synth(n_train, rng)
    train = np.log(spectrum(w) + 1e-3)
    mean, std = train.mean(), train.std()
    train = (train - mean) / std
    w, y_val = synth(n_val, rng)
    val = spectrum(w)
    val = (val - mean) / std
    as_set = lambda a, b: TensorDataset(torch.tensor(a, dtype=torch.float32), torch.tensor(b))
    return as_set(train, y), as_set(val, y_val)


class ToneNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 16, 5, padding=2)
        self.conv2 = nn.Conv1d(16, 16, 5, padding=2)
        self.fc = nn.Linear(16 * 32, 64)
        self.out = nn.Linear(64, 4)

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.conv(x.unsqueeze(1))), 2)
        x = F.max_pool1d(F.relu(self.conv2(x)), 2)
        x = F.relu(self.fc(x.flatten(1)))
        return self.out(x)


class Trainer:
    def __init__(self, model, train, val, lr):
        self.model, self.train_loader, self.val_loader = model, train, val
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=0.01)

    def run_epoch(self):
        self.model.train()
        seen, loss_sum, hit = 0, 0.0, 0
        for x, y in self.train_loader:
            self.opt.zero_grad()
            out = self.model(x)
            loss = F.cross_entropy(out, y)
            loss.backward()
            self.opt.step()
            seen += len(y)
            loss_sum += loss.item() * len(y)
            hit += (out.argmax(1) == y).sum().item()
        return loss_sum / seen, hit / seen

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        loss_sum, hit, seen = 0.0, 0, 0
        for x, y in self.val_loader:
            out = self.model(x)
            loss_sum += F.cross_entropy(out, y, reduction="sum").item()
            hit += (out.argmax(1) == y).sum().item()
            seen += len(y)
        return loss_sum / seen, hit / seen

    def fit(self, epochs):
        for e in range(epochs):
            tl, ta = self.run_epoch()
            vl, va = self.validate()
            print(f"epoch {e}: train {tl:.3f}/{ta:.3f}  val {vl:.3f}/{va:.3f}")


torch.manual_seed(5)
train_set, val_set = prepare(np.random.default_rng(5), 1500, 500)
Trainer(ToneNet(), DataLoader(train_set, 50, shuffle=True), DataLoader(val_set, 100), 1e-3).fit(8)
