"""A forecast by an LSTM.

fault: loader-restarted
also: repeated-batch
split: test
line: 60
"""

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(21)
np.random.seed(21)

WINDOW = 20
STEPS = 400

# synthetic load curve: two seasonalities, slow amplitude change and noise
t = np.arange(1600)
series = (1 + 0.5 * np.sin(t / 150)) * np.sin(2 * np.pi * t / 24) + 0.7 * np.cos(2 * np.pi * t / 61)
series = series + 0.08 * np.random.randn(len(t))

split = 1200
mean, std = series[:split].mean(), series[:split].std()
series = (series - mean) / std


def windows(values):
    xs = np.stack([values[i:i + WINDOW] for i in range(len(values) - WINDOW)])
    ys = values[WINDOW:]
    return torch.tensor(xs, dtype=torch.float32).unsqueeze(-1), torch.tensor(ys, dtype=torch.float32)


x_train, y_train = windows(series[:split])
x_test, y_test = windows(series[split:])
loader = DataLoader(TensorDataset(x_train, y_train), batch_size=32)


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h, _ = self.lstm(x)
        return self.out(h[:, -1]).squeeze(-1)


model = Forecaster()
opt = torch.optim.RMSprop(model.parameters(), lr=2e-3)
loss_fn = nn.MSELoss()

history = []
for step in range(STEPS):
    model.train()
    xb, yb = next(iter(loader))
    opt.zero_grad()
    loss = loss_fn(model(xb), yb)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    history.append(loss.item())
    if (step + 1) % 50 == 0:
        model.eval()
        with torch.no_grad():
            test = loss_fn(model(x_test), y_test).item()
        print(f"step {step + 1:4d}  train mse {np.mean(history[-50:]):.4f}  test mse {test:.4f}")

model.eval()
with torch.no_grad():
    pred = model(x_test)
    naive = x_test[:, -1, 0]
    print("test mse  %.4f | last-value baseline %.4f" % (loss_fn(pred, y_test), loss_fn(naive, y_test)))
