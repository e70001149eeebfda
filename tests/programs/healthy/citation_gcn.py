"""Two-layer GCN, node classification on a citation-like random graph.

split: train
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

# ---- data: stochastic block model + noisy bag-of-words features
N, C, D = 900, 5, 120
labels = torch.randint(0, C, (N,))
same = labels[:, None] == labels[None, :]
prob = torch.where(same, torch.tensor(0.030), torch.tensor(0.0020))
upper = torch.triu(torch.rand(N, N) < prob, diagonal=1)
A = (upper | upper.T).float()
topic = torch.rand(C, D) * 0.06
topic[torch.arange(C).repeat_interleave(15), torch.cat([torch.arange(c * 20, c * 20 + 15) for c in range(C)])] += 0.07
X = (torch.rand(N, D) < topic[labels]).float()
X = X / X.sum(1, keepdim=True).clamp(min=1)

# symmetric normalisation with self loops
A_hat = A + torch.eye(N)
d = A_hat.sum(1).rsqrt()
A_norm = (d[:, None] * A_hat * d[None, :]).to_sparse()

perm = torch.randperm(N)
train_idx, val_idx, test_idx = perm[:180], perm[180:400], perm[400:]


class GCN(nn.Module):
    def __init__(self, d_in, hidden, d_out, p=0.5):
        super().__init__()
        self.lin1 = nn.Linear(d_in, hidden)
        self.lin2 = nn.Linear(hidden, d_out)
        self.p = p

    def forward(self, adj, x):
        x = F.dropout(x, self.p, self.training)
        x = F.relu(torch.sparse.mm(adj, self.lin1(x)))
        x = F.dropout(x, self.p, self.training)
        return torch.sparse.mm(adj, self.lin2(x))


model = GCN(D, 32, C)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
best_val, best_state = 0.0, None
for epoch in range(1, 301):
    model.train()
    optimizer.zero_grad()
    out = model(A_norm, X)
    loss = F.cross_entropy(out[train_idx], labels[train_idx])
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        pred = model(A_norm, X).argmax(1)
        val_acc = (pred[val_idx] == labels[val_idx]).float().mean().item()
    if val_acc > best_val:
        best_val = val_acc
        best_state = {k: v.clone() for k, v in model.state_dict().items()}
    if epoch % 50 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.4f} val acc {val_acc:.4f}")

model.load_state_dict(best_state)
model.eval()
with torch.no_grad():
    pred = model(A_norm, X).argmax(1)
print(f"test accuracy {(pred[test_idx] == labels[test_idx]).float().mean():.4f} (best val {best_val:.4f})")
