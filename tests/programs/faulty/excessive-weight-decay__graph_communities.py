"""Communities of a graph.

fault: excessive-weight-decay
also:
split: test
line: 60
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(4)


def block_graph(sizes, p_in, p_out):
    y = torch.cat([torch.full((s,), i) for i, s in enumerate(sizes)])
    same = y[:, None] == y[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    a = (torch.rand(len(y), len(y)) < prob).float().triu(1)
    return a + a.t(), y


def normalise(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCNLayer(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.lin = nn.Linear(n_in, n_out)

    def forward(self, a, x):
        return a @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, p=0.2):
        super().__init__()
        self.g1 = GCNLayer(n_in, hidden)
        self.g2 = GCNLayer(hidden, n_out)
        self.p = p

    def forward(self, a, x):
        h = F.relu(self.g1(a, x))
        h = F.dropout(h, self.p, self.training)
        return self.g2(a, h)


adj, y = block_graph([100, 100, 100, 100], 0.10, 0.01)
A = normalise(adj)
x = F.one_hot(y, 4).float() * 0.6 + torch.randn(400, 4)
x = torch.cat([x, torch.randn(400, 12)], 1)
perm = torch.randperm(400)
train_idx, test_idx = perm[:160], perm[160:]

model = GCN(16, 32, 4)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=0.5)
for epoch in range(1, 251):
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(A, x)[train_idx], y[train_idx])
    loss.backward()
    opt.step()
    if epoch % 50 == 0:
        model.eval()
        with torch.no_grad():
            pred = model(A, x).argmax(1)
        acc = (pred == y)[test_idx].float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} test acc {acc:.3f}")
print(f"final loss {loss.item():.4f} test accuracy {acc:.3f}")
