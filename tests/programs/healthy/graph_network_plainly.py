"""Two-layer GCN written by hand on a stochastic block model graph, semi-supervised.

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(26)
N, C, FEATS = 400, 4, 16
labels = torch.arange(N) % C
prob = torch.where(labels[:, None] == labels[None, :], 0.06, 0.008)
upper = torch.triu(torch.rand(N, N) < prob, diagonal=1).float()
adj = upper + upper.t()
centres = torch.randn(C, FEATS)
x = centres[labels] * 0.6 + torch.randn(N, FEATS)

perm = torch.randperm(N)
train_idx, val_idx, test_idx = perm[:80], perm[80:180], perm[180:]
x = (x - x.mean(0)) / x.std(0)

a_hat = adj + torch.eye(N)
d = a_hat.sum(1).rsqrt()
a_norm = (d[:, None] * a_hat * d[None, :]).to_sparse()


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o)

    def forward(self, a, h):
        return torch.sparse.mm(a, self.lin(h))


class GCN(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.g1, self.g2 = GraphConv(FEATS, hidden), GraphConv(hidden, C)

    def forward(self, a, x):
        h = F.dropout(x, 0.3, self.training)
        h = F.relu(self.g1(a, h))
        return self.g2(a, F.dropout(h, 0.5, self.training))


model = GCN()
opt = torch.optim.Adam(model.parameters(), lr=1e-2, weight_decay=5e-3)
for epoch in range(200):
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(a_norm, x)[train_idx], labels[train_idx])
    loss.backward()
    opt.step()
    if epoch % 25 == 24:
        model.eval()
        with torch.no_grad():
            out = model(a_norm, x)
            vl = F.cross_entropy(out[val_idx], labels[val_idx])
            va = (out[val_idx].argmax(1) == labels[val_idx]).float().mean()
        print(f"epoch {epoch + 1:3d} train {loss.item():.4f} val {vl:.4f} val acc {va:.3f}")
model.eval()
with torch.no_grad():
    acc = (model(a_norm, x)[test_idx].argmax(1) == labels[test_idx]).float().mean()
print(f"test accuracy {acc:.4f} (chance {1 / C})")
