"""A GRU forecasts a series from its window.

fault: gradients-not-zeroed
also: 
split: test
line: 64
"""

import math
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)
rng = np.random.default_rng(3)

WINDOW = 24
BATCH = 64
EPOCHS = 12

t = np.arange(1600)
series = np.sin(2 * math.pi * t / 24) + 0.5 * np.sin(2 * math.pi * t / 60 + 1.0) + 0.05 * rng.standard_normal(len(t))
split = 1250
mu, sd = series[:split].mean(), series[:split].std()
series = (series - mu) / sd


def windows(values):
    xs = np.stack([values[i:i + WINDOW] for i in range(len(values) - WINDOW)])
    ys = values[WINDOW:]
    return (torch.tensor(xs, dtype=torch.float32).unsqueeze(-1),
            torch.tensor(ys, dtype=torch.float32).unsqueeze(-1))


x_train, y_train = windows(series[:split])
x_test, y_test = windows(series[split:])


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.rnn = nn.GRU(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        _, h = self.rnn(x)
        return self.out(h[-1])


net = Forecaster()
optim = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
mse = nn.MSELoss()

for epoch in range(EPOCHS):
    net.train()
    order = torch.randperm(len(x_train))
    running = 0.0
    n_batches = 0
    for i in range(0, len(order), BATCH):
        idx = order[i:i + BATCH]
        pred = net(x_train[idx])
        loss = mse(pred, y_train[idx])
        loss.backward()
        optim.step()
        running += loss.item()
        n_batches += 1
    net.eval()
    with torch.no_grad():
        test_mse = mse(net(x_test), y_test).item()
    print(f"[{epoch + 1}/{EPOCHS}] train mse {running / n_batches:.4f} test mse {test_mse:.4f}")

naive = mse(x_test[:, -1], y_test).item()
print("persistence baseline mse:", round(naive, 4))
print("final test mse:", round(test_mse, 4), "R2:", round(1 - test_mse / y_test.var().item(), 3))
