"""Communities of a random graph.

fault: constant-init
also:
split: test
line: 38, 39
"""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def make_graph(n_per_block=120, blocks=4, p_in=0.08, p_out=0.01, feat=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    n = n_per_block * blocks
    labels = torch.arange(blocks).repeat_interleave(n_per_block)
    same = labels[:, None] == labels[None, :]
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), diagonal=1)
    adj = upper + upper.t()
    centers = torch.randn(blocks, feat, generator=g)
    x = centers[labels] * 0.5 + torch.randn(n, feat, generator=g)
    return adj, x, labels


def normalise(adj):
    a = adj + torch.eye(adj.size(0))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(nn.Module):
    def __init__(self, in_dim, out_dim):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(in_dim, out_dim))
        self.bias = nn.Parameter(torch.zeros(out_dim))

    def reset_parameters(self):
        bound = math.sqrt(6.0 / sum(self.weight.shape))
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.zeros_(self.bias)

    def forward(self, a, x):
        return a @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, in_dim, hidden, n_classes, dropout=0.3):
        super().__init__()
        self.conv1 = GraphConv(in_dim, hidden)
        self.conv2 = GraphConv(hidden, n_classes)
        self.dropout = dropout

    def forward(self, a, x):
        h = F.relu(self.conv1(a, x))
        h = F.dropout(h, self.dropout, training=self.training)
        return self.conv2(a, h)


def accuracy(model, a, x, labels, mask):
    model.eval()
    with torch.no_grad():
        pred = model(a, x).argmax(1)
    return (pred[mask] == labels[mask]).float().mean().item()


def main():
    torch.manual_seed(0)
    adj, x, labels = make_graph()
    a_hat = normalise(adj)
    perm = torch.randperm(len(labels))
    train_mask = torch.zeros(len(labels), dtype=torch.bool)
    train_mask[perm[:200]] = True
    test_mask = ~train_mask

    model = GCN(x.size(1), 32, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)

    for epoch in range(1, 201):
        model.train()
        optimizer.zero_grad()
        out = model(a_hat, x)
        loss = F.cross_entropy(out[train_mask], labels[train_mask])
        loss.backward()
        optimizer.step()
        if epoch % 20 == 0:
            acc = accuracy(model, a_hat, x, labels, test_mask)
            print(f"Epoch {epoch:03d}, Loss {loss.item():.4f}, Test {acc:.4f}")

    print(f"Test accuracy: {accuracy(model, a_hat, x, labels, test_mask):.4f}")


if __name__ == "__main__":
    main()
