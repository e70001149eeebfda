"""Nodes of a graph in blocks.

split: train
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


def sbm(n=400, k=5, p_in=0.1, p_out=0.02, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    prob = np.where(y[:, None] == y[None, :], p_in, p_out)
    a = np.triu(rng.random((n, n)) < prob, 1)
    a = (a | a.T).astype(np.float32)
    x = rng.normal(size=(n, 40)).astype(np.float32)
    x[np.arange(n), y] += 2.0
    return torch.from_numpy(x), torch.from_numpy(a), torch.from_numpy(y)


def normalise(a):
    a = a + torch.eye(len(a))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCNLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, h, adj):
        return adj @ self.lin(h)


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes, depth=3):
        super().__init__()
        dims = [d_in] + [hidden] * (depth - 1)
        self.layers = nn.ModuleList([GCNLayer(a, b) for a, b in zip(dims[:-1], dims[1:])])
        self.out = GCNLayer(hidden, classes)

    def forward(self, x, adj):
        for layer in self.layers:
            x = F.relu(layer(x, adj))
        return self.out(x, adj)


torch.manual_seed(0)
x, a, y = sbm()
adj = normalise(a)
perm = torch.randperm(len(y))
train_idx, test_idx = perm[:240], perm[240:]
model = GCN(40, 16, 5)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-3)
for epoch in range(100):
    model.train()
    optimizer.zero_grad()
    out = model(x, adj)
    loss = F.cross_entropy(out[train_idx], y[train_idx])
    loss.backward()
    optimizer.step()
    if epoch % 20 == 19:
        model.eval()
        with torch.no_grad():
            pred = model(x, adj).argmax(1)
        print(f"epoch {epoch + 1} loss {loss.item():.3f} test acc {(pred[test_idx] == y[test_idx]).float().mean().item():.3f}")
