"""Communities of a graph.

fault: constant-init
also: 
split: test
line: 40
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


def sbm(n_per=80, k=4, p_in=0.12, p_out=0.01, n_feat=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(k).repeat_interleave(n_per)
    n = len(y)
    prob = torch.where(y[:, None] == y[None, :], p_in, p_out)
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), 1)
    adj = upper + upper.T
    centers = torch.randn(k, n_feat, generator=g)
    x = 0.6 * centers[y] + torch.randn(n, n_feat, generator=g)
    return x, adj, y


def normalize(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(in_features, out_features))
        self.bias = nn.Parameter(torch.zeros(out_features))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.constant_(self.weight, 0.0)

    def forward(self, x, adj):
        return adj @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, n_feat, hidden, n_class, dropout=0.3):
        super().__init__()
        self.gc1 = GraphConv(n_feat, hidden)
        self.gc2 = GraphConv(hidden, n_class)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.relu(self.gc1(x, adj))
        x = F.dropout(x, self.dropout, training=self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(8)
    x, adj, y = sbm()
    adj = normalize(adj)
    perm = torch.randperm(len(y))
    idx_train, idx_val, idx_test = perm[:100], perm[100:180], perm[180:]
    model = GCN(x.size(1), 32, 4)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for epoch in range(150):
        model.train()
        optimizer.zero_grad()
        out = model(x, adj)
        loss = F.nll_loss(out[idx_train], y[idx_train])
        loss.backward()
        optimizer.step()
        if (epoch + 1) % 25 == 0:
            model.eval()
            with torch.no_grad():
                out = model(x, adj)
                val = F.nll_loss(out[idx_val], y[idx_val])
                acc = (out[idx_val].argmax(1) == y[idx_val]).float().mean()
            print(f"Epoch {epoch + 1:03d}  loss {loss:.4f}  val loss {val:.4f}  val acc {acc:.3f}")
    model.eval()
    with torch.no_grad():
        acc = (model(x, adj)[idx_test].argmax(1) == y[idx_test]).float().mean()
    print(f"Test accuracy: {acc:.3f}")


if __name__ == "__main__":
    main()
