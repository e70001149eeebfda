"""Semi-supervised classification of nodes with two graph convolutions.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


def community_graph(n=600, k=4, p_in=0.035, p_out=0.006, labelled_per_class=20, seed=0):
    g = torch.Generator().manual_seed(seed)
    truth = torch.arange(n) % k
    same = truth[:, None] == truth[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu(torch.rand(n, n, generator=g) < prob, diagonal=1)
    adj = (upper | upper.T).float()
    centres = torch.randn(k, 16, generator=g) * 0.6
    feats = centres[truth] + torch.randn(n, 16, generator=g)
    order = torch.randperm(n, generator=g)
    train_mask = torch.zeros(n, dtype=torch.bool)
    for c in range(k):
        members = order[truth[order] == c]
        train_mask[members[:labelled_per_class]] = True
    known = torch.where(train_mask, truth, torch.zeros_like(truth))
    return feats, adj, known, train_mask, truth


def normalise(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GCN(nn.Module):
    def __init__(self, n_in, n_hidden, n_out, p=0.5):
        super().__init__()
        self.lin1 = nn.Linear(n_in, n_hidden)
        self.lin2 = nn.Linear(n_hidden, n_out)
        self.p = p

    def forward(self, x, a):
        x = F.relu(a @ self.lin1(x))
        x = F.dropout(x, self.p, self.training)
        return a @ self.lin2(x)


torch.manual_seed(1)
x, adj, y, train_mask, truth = community_graph()
x = (x - x.mean(0)) / x.std(0)
a_hat = normalise(adj)
test_mask = ~train_mask
model = GCN(16, 32, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    out = model(x, a_hat)
    loss = F.cross_entropy(out[train_mask], y[train_mask])
    loss.backward()
    optimizer.step()
    if epoch % 25 == 0:
        model.eval()
        with torch.no_grad():
            pred = model(x, a_hat).argmax(1)
        acc = (pred == truth)[test_mask].float().mean().item()
        print(f"Epoch: {epoch:03d}, Loss: {loss.item():.4f}, Test: {acc:.4f}")
