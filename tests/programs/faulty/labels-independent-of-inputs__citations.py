"""Communities in a graph of citations.

fault: labels-independent-of-inputs
also: 
split: train
line: 29
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
rng = np.random.default_rng(3)
torch.manual_seed(3)

# ---- citation-like graph with 4 communities and weak node features ----
N, K, D = 600, 4, 24
labels = np.repeat(np.arange(K), N // K)
same = labels[:, None] == labels[None, :]
prob = np.where(same, 0.05, 0.006)
upper = np.triu(rng.random((N, N)) < prob, 1)
adj = (upper | upper.T).astype(np.float32)
centers = rng.normal(size=(K, D)) * 0.35
feats = (centers[labels] + rng.normal(size=(N, D))).astype(np.float32)

perm = rng.permutation(N)
feats, labels = feats[perm], labels[perm]
a_hat = adj + np.eye(N, dtype=np.float32)
deg = a_hat.sum(1)
a_hat = a_hat / np.sqrt(deg[:, None] * deg[None, :])

X = torch.from_numpy(feats)
X = (X - X.mean(0)) / X.std(0)
A = torch.from_numpy(a_hat)
Y = torch.from_numpy(labels).long()
train_idx, val_idx, test_idx = torch.arange(0, 160), torch.arange(160, 300), torch.arange(300, N)


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, a):
        return a @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, d_in, hidden, n_class):
        super().__init__()
        self.c1 = GraphConv(d_in, hidden)
        self.c2 = GraphConv(hidden, n_class)
        self.drop = nn.Dropout(0.5)

    def forward(self, x, a):
        h = F.relu(self.c1(self.drop(x), a))
        return self.c2(self.drop(h), a)


net = GCN(D, 32, K)
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=5e-4)
best_val, best_test = 0.0, 0.0
for epoch in range(150):
    net.train()
    opt.zero_grad()
    out = net(X, A)
    loss = F.cross_entropy(out[train_idx], Y[train_idx])
    loss.backward()
    opt.step()

    net.eval()
    with torch.no_grad():
        hit = (net(X, A).argmax(1) == Y).float()
    val, test = hit[val_idx].mean().item(), hit[test_idx].mean().item()
    if val > best_val:
        best_val, best_test = val, test
    if epoch % 15 == 0:
        print(f"{epoch:3d} loss {loss.item():.3f} train {hit[train_idx].mean():.3f} val {val:.3f}")
print(f"best val {best_val:.3f} -> test {best_test:.3f}")
