"""Channels of a brain wave for an LSTM.

fault: scrambled-axes
also: 
split: train
line: 41
"""

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)

N_CH, N_T = 8, 32


def make_trials(n, seed):
    """EEG-like trials (n, channels, time): class decides which channel oscillates first."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    x = rng.normal(0, 1.0, (n, N_CH, N_T))
    time = np.arange(N_T)
    for i in range(n):
        lag = rng.integers(0, 10)
        chans = [(0, 3), (3, 0), (5, 6)][y[i]]
        for j, ch in enumerate(chans):
            centre = 6 + lag + 10 * j
            x[i, ch] += 2.5 * np.exp(-0.5 * ((time - centre) / 2.0) ** 2)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y)


class EEGNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(N_CH, hidden, batch_first=True)
        self.classifier = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, 3))

    def forward(self, x):
        # LSTM wants (batch, time, channels)
        seq = x.reshape(x.size(0), x.size(2), x.size(1))
        out, (h, c) = self.lstm(seq)
        return self.classifier(h[-1])


def train_model(model, x, y, x_val, y_val, epochs=10, batch_size=32):
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        model.train()
        perm = torch.randperm(len(x))
        running = 0.0
        for b in range(0, len(x), batch_size):
            sel = perm[b:b + batch_size]
            optimizer.zero_grad()
            loss = criterion(model(x[sel]), y[sel])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item() * len(sel)
        model.eval()
        with torch.no_grad():
            logits = model(x_val)
            val = criterion(logits, y_val).item()
            acc = (logits.argmax(1) == y_val).float().mean().item()
        print(f"[{epoch + 1:02d}] train {running / len(x):.4f} val {val:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    torch.manual_seed(55)
    x_train, y_train = make_trials(900, seed=1)
    x_val, y_val = make_trials(300, seed=2)
    m, s = x_train.mean((0, 2), keepdim=True), x_train.std((0, 2), keepdim=True)
    x_train, x_val = (x_train - m) / s, (x_val - m) / s
    train_model(EEGNet(), x_train, y_train, x_val, y_val)
