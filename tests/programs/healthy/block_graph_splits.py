"""Nodes of a block graph are classified, over random splits.

split: test
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_graph(n=240, k=4, p_in=0.10, p_out=0.01, dim=16, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    prob = np.where(y[:, None] == y[None, :], p_in, p_out)
    a = np.triu(rng.random((n, n)) < prob, 1)
    a = (a | a.T).astype(np.float32) + np.eye(n, dtype=np.float32)
    d = 1.0 / np.sqrt(a.sum(1))
    a = a * d[:, None] * d[None, :]
    centers = rng.normal(size=(k, dim))
    x = 0.4 * centers[y] + rng.normal(size=(n, dim))
    return torch.tensor(x, dtype=torch.float32), torch.tensor(a), torch.tensor(y)


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(i, o))
        self.bias = nn.Parameter(torch.empty(o))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.weight)
        nn.init.zeros_(self.bias)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.c1, self.c2 = GraphConv(i, h), GraphConv(h, o)

    def reset_parameters(self):
        for m in (self.c1, self.c2):
            m.reset_parameters()

    def forward(self, x, adj):
        x = F.dropout(F.relu(self.c1(x, adj)), 0.3, self.training)
        return self.c2(x, adj)


def main():
    torch.manual_seed(5)
    x, adj, y = make_graph()
    n = len(y)
    model = GCN(x.size(1), 32, int(y.max()) + 1)
    scores = []
    for split in range(3):
        model.reset_parameters()
        perm = torch.randperm(n)
        tr, te = perm[:120], perm[120:]
        opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
        for epoch in range(100):
            model.train()
            opt.zero_grad()
            loss = F.cross_entropy(model(x, adj)[tr], y[tr])
            loss.backward()
            opt.step()
            if epoch % 20 == 19:
                model.eval()
                with torch.no_grad():
                    acc = (model(x, adj)[te].argmax(1) == y[te]).float().mean().item()
                print(f"split {split} epoch {epoch + 1:3d} loss {loss.item():.4f} test acc {acc:.3f}")
        scores.append(acc)
    print("mean test acc %.3f" % np.mean(scores))


if __name__ == "__main__":
    main()
