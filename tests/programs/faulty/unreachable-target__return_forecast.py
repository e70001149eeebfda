"""Small network that forecasts the next standardised daily return from lagged factors.

fault: unreachable-target
also: output-activation
split: train
line: 35
"""
import numpy as np
import torch

torch.set_num_threads(1)
torch.manual_seed(100)
g = np.random.default_rng(100)
T, LAGS = 2500, 5
f = np.zeros((T, 3))
for t in range(1, T):
    f[t] = 0.9 * f[t - 1] + 0.4 * g.normal(size=3)
ret = 0.8 * np.roll(f[:, 0], 1) - 0.5 * np.roll(f[:, 1], 2) + 0.3 * np.roll(f[:, 2], 1) * np.roll(f[:, 0], 1) + 0.25 * g.normal(size=T)
rows = [np.r_[f[t - LAGS:t].ravel()] for t in range(LAGS, T)]
X = np.array(rows, dtype=np.float32)
y = ret[LAGS:].astype(np.float32)
n = 2000
X = (X - X[:n].mean(0)) / X[:n].std(0)
y = (y - y[:n].mean()) / y[:n].std()
X, y = torch.from_numpy(X), torch.from_numpy(y)

w1 = torch.nn.Linear(15, 40)
w2 = torch.nn.Linear(40, 20)
w3 = torch.nn.Linear(20, 1)
layers = torch.nn.ModuleList([w1, w2, w3])


def forecast(x):
    for layer in layers:
        x = torch.relu(layer(x))
    return x.squeeze(-1)


opt = torch.optim.Adam(layers.parameters(), lr=2e-3)
for epoch in range(10):
    for b in torch.randperm(n).split(50):
        opt.zero_grad()
        loss = (forecast(X[b]) - y[b]).pow(2).mean()
        loss.backward()
        opt.step()
    with torch.no_grad():
        p = forecast(X[n:])
    r2 = 1 - (p - y[n:]).pow(2).sum() / (y[n:] - y[n:].mean()).pow(2).sum()
    print(f"epoch {epoch} mse {loss.item():.4f} out-of-sample R2 {r2:.4f}")
