"""Node classification in a small graph of papers, layers written by hand.

split: train
"""
import math

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def build_graph(n=500, classes=4, dim=24, seed=2):
    g = np.random.default_rng(seed)
    y = g.integers(0, classes, n)
    centres = g.normal(size=(classes, dim))
    x = centres[y] * 1.3 + g.normal(size=(n, dim))
    same = y[:, None] == y[None, :]
    prob = np.where(same, 0.006, 0.004)
    adj = np.triu(g.random((n, n)) < prob, 1)
    adj = adj | adj.T
    return torch.tensor(x, dtype=torch.float32), torch.tensor(adj, dtype=torch.float32), torch.tensor(y)


def normalise(adj):
    deg = adj.sum(1).clamp(min=1)
    inv = deg.pow(-0.5)
    return inv[:, None] * adj * inv[None, :]


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_in, n_out))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))

    def forward(self, x, a):
        return a @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out):
        super().__init__()
        self.first = GraphConv(n_in, hidden)
        self.out = nn.Linear(hidden, n_out)

    def forward(self, x, a):
        h = F.relu(self.first(x, a))
        h = F.dropout(h, 0.2, training=self.training)
        return self.out(h)


torch.manual_seed(0)
x, adj, y = build_graph()
a_hat = normalise(adj + torch.eye(len(adj)))
perm = torch.randperm(len(y))
train_idx, test_idx = perm[:300], perm[300:]
model = GCN(x.shape[1], 32, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-3)
for epoch in range(90):
    model.train()
    optimizer.zero_grad()
    out = model(x, a_hat)
    loss = F.cross_entropy(out[train_idx], y[train_idx])
    loss.backward()
    optimizer.step()
    if epoch % 30 == 29:
        model.eval()
        with torch.no_grad():
            pred = model(x, a_hat).argmax(1)
        tr = (pred[train_idx] == y[train_idx]).float().mean().item()
        te = (pred[test_idx] == y[test_idx]).float().mean().item()
        print(f"epoch {epoch + 1:3d} loss {loss.item():.4f} train {tr:.3f} test {te:.3f}")
