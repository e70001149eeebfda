"""Three spirals, batches by hand.

split: train
"""

import numpy as np
import torch
import torch.nn.functional as F

rng = np.random.default_rng(42)
torch.manual_seed(42)


def spirals(n_per_class, n_classes=3, noise=0.15):
    xs, ys = [], []
    for c in range(n_classes):
        t = np.linspace(0.1, 1.0, n_per_class)
        angle = 4.5 * t + c * 2 * np.pi / n_classes + rng.normal(0, noise, n_per_class)
        xs.append(np.stack([t * np.cos(angle), t * np.sin(angle)], axis=1))
        ys.append(np.full(n_per_class, c))
    return np.concatenate(xs).astype(np.float32), np.concatenate(ys)


def init_params(sizes):
    params = []
    for fan_in, fan_out in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(fan_in, fan_out) * (2.0 / fan_in) ** 0.5
        b = torch.zeros(fan_out)
        params += [w.requires_grad_(), b.requires_grad_()]
    return params


def forward(params, x):
    n_layers = len(params) // 2
    for i in range(n_layers):
        x = x @ params[2 * i] + params[2 * i + 1]
        if i < n_layers - 1:
            x = torch.relu(x)
    return x


def accuracy(params, x, y):
    with torch.no_grad():
        return (forward(params, x).argmax(1) == y).float().mean().item()


X, y = spirals(500)
X_val, y_val = spirals(150)
X, y = torch.from_numpy(X), torch.from_numpy(y)
X_val, y_val = torch.from_numpy(X_val), torch.from_numpy(y_val)

params = init_params([2, 64, 64, 3])
opt = torch.optim.Adam(params, lr=5e-3)
bs = 50

for epoch in range(40):
    perm = torch.randperm(X.shape[0])
    X_shuf = X[perm]
    y_shuf = y[perm]
    total = 0.0
    for start in range(0, len(X_shuf), bs):
        xb = X_shuf[start:start + bs]
        yb = y_shuf[start:start + bs]
        loss = F.cross_entropy(forward(params, xb), yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item() * len(xb)
    if (epoch + 1) % 5 == 0:
        print("epoch", epoch + 1, "loss", round(total / len(X), 4),
              "val acc", round(accuracy(params, X_val, y_val), 4))

print("train acc", round(accuracy(params, X, y), 4), "val acc", round(accuracy(params, X_val, y_val), 4))
