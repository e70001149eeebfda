"""Activities by a recurrent network over three axes of acceleration.

fault: evaluation-at-chance
also: 
split: train
line: 43
"""

import numpy as np
import torch
from sklearn.metrics import accuracy_score, f1_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(28)
np.random.seed(28)

N_CLASSES, T, CHANNELS = 5, 30, 3


def simulate(n):
    """Three-axis accelerometer snippets; every activity has its own frequency and axis mix."""
    y = np.random.randint(0, N_CLASSES, n)
    t = np.arange(T)[None, :, None]
    freq = (0.03 + 0.04 * y)[:, None, None]
    phase = np.random.uniform(0, 2 * np.pi, (n, 1, CHANNELS))
    x = np.sin(2 * np.pi * freq * t + phase) + 0.3 * np.random.randn(n, T, CHANNELS)
    return x.astype("float32"), y


X, y = simulate(1500)
X_train, y_train, X_val, y_val = X[:1200], y[:1200], X[1200:], y[1200:]
mean, std = X_train.mean((0, 1)), X_train.std((0, 1))
X_train, X_val = (X_train - mean) / std, (X_val - mean) / std


def make_loader(a, b, batch_size, shuffle):
    return DataLoader(TensorDataset(torch.from_numpy(a), torch.from_numpy(b)), batch_size=batch_size, shuffle=shuffle)


train_loader = make_loader(X_train, y_train, 50, shuffle=True)
val_loader = make_loader(X_val, y_val, 100, shuffle=True)


class ActivityLSTM(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(CHANNELS, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, N_CLASSES)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out.mean(1))


def predict(model, loader):
    model.eval()
    preds, losses = [], []
    with torch.no_grad():
        for xb, yb in loader:
            logits = model(xb)
            losses.append(nn.functional.cross_entropy(logits, yb).item())
            preds.append(logits.argmax(1).numpy())
    return np.concatenate(preds), float(np.mean(losses))


model = ActivityLSTM()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
for epoch in range(12):
    model.train()
    train_losses = []
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(xb), yb)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        train_losses.append(loss.item())
    preds, val_loss = predict(model, val_loader)
    print(f"epoch {epoch + 1:2d} train loss {np.mean(train_losses):.3f} val loss {val_loss:.3f} "
          f"val acc {accuracy_score(y_val, preds):.3f} macro f1 {f1_score(y_val, preds, average='macro'):.3f}")
