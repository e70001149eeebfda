"""Semi-supervised node classification with a two layer GCN (Kipf & Welling), full batch.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1234)

N, C, FEATS = 600, 4, 50
labels = torch.arange(N) % C
p_in, p_out = 0.04, 0.006
prob = torch.where(labels[:, None] == labels[None, :], p_in, p_out)
upper = torch.triu(torch.rand(N, N) < prob, 1)
A = (upper | upper.T).float()
centres = torch.randn(C, FEATS) * 0.25
X = centres[labels] + torch.randn(N, FEATS)

A_hat = A + torch.eye(N)
d = A_hat.sum(1).rsqrt()
A_norm = d[:, None] * A_hat * d[None, :]

perm = torch.randperm(N)
train_idx, val_idx, test_idx = perm[:80], perm[80:200], perm[200:]


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.lin = nn.Linear(i, o, bias=False)
        self.bias = nn.Parameter(torch.zeros(o))
        nn.init.xavier_uniform_(self.lin.weight)

    def forward(self, x, adj):
        return adj @ self.lin(x) + self.bias


class GCN(nn.Module):
    def __init__(self, hidden=16, p=0.5):
        super().__init__()
        self.gc1, self.gc2, self.p = GraphConv(FEATS, hidden), GraphConv(hidden, C), p

    def forward(self, x, adj):
        x = F.dropout(x, self.p, self.training)
        x = F.relu(self.gc1(x, adj))
        x = F.dropout(x, self.p, self.training)
        return F.log_softmax(self.gc2(x, adj), 1)


model = GCN()
optimizer = torch.optim.Adam([
    {"params": model.gc1.parameters(), "weight_decay": 5e-3},
    {"params": model.gc2.parameters(), "weight_decay": 0.0},
], lr=0.01)


def acc(out, idx):
    return (out[idx].argmax(1) == labels[idx]).float().mean().item()


best_val, best_test = 0.0, 0.0
for epoch in range(150):
    model.train()
    optimizer.zero_grad()
    out = model(X, A_norm)
    loss = F.nll_loss(out[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        out = model(X, A_norm)
        val_loss = F.nll_loss(out[val_idx], labels[val_idx]).item()
    if acc(out, val_idx) >= best_val:
        best_val, best_test = acc(out, val_idx), acc(out, test_idx)
    if epoch % 15 == 14:
        print(f"Epoch {epoch + 1:03d} loss {loss.item():.4f} val_loss {val_loss:.4f} "
              f"train {acc(out, train_idx):.3f} val {acc(out, val_idx):.3f}")
print(f"test accuracy at the best validation: {best_test:.3f}")
