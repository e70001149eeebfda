"""Blocks of a graph, by convolutions over it.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


def block_model(n_per=80, k=4, p_in=0.08, p_out=0.012, feat=32, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(k).repeat_interleave(n_per)
    prob = torch.where(y[:, None] == y[None, :], p_in, p_out)
    upper = torch.triu((torch.rand(prob.shape, generator=g) < prob).float(), diagonal=1)
    adj = upper + upper.T
    centers = torch.randn(k, feat, generator=g)
    x = 0.6 * centers[y] + torch.randn(len(y), feat, generator=g)
    return adj, x, y


def normalize(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None, :]


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(d_in, d_out))
        self.bias = nn.Parameter(torch.zeros(d_out))
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.xavier_normal_(self.weight)

    def forward(self, a_hat, x):
        return a_hat @ (x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, d_in, d_hidden, n_classes, depth=3):
        super().__init__()
        dims = [d_in] + [d_hidden] * (depth - 1) + [n_classes]
        self.layers = nn.ModuleList(GraphConv(a, b) for a, b in zip(dims[:-1], dims[1:]))

    def forward(self, a_hat, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(a_hat, x))
        return self.layers[-1](a_hat, x)


def split(y, per_class=15, seed=0):
    g = torch.Generator().manual_seed(seed)
    train = torch.zeros(len(y), dtype=torch.bool)
    for c in y.unique():
        idx = (y == c).nonzero().squeeze(1)
        train[idx[torch.randperm(len(idx), generator=g)[:per_class]]] = True
    return train, ~train


def main():
    torch.manual_seed(17)
    adj, x, y = block_model(seed=17)
    a_hat = normalize(adj)
    train, test = split(y, seed=17)
    model = GCN(x.size(1), 128, 4, depth=5)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for step in range(300):
        model.train()
        logits = model(a_hat, x)
        loss = F.cross_entropy(logits[train], y[train])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 50 == 0 or step == 299:
            acc = (logits[test].argmax(1) == y[test]).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.4f} test acc {acc:.4f}")
    model.eval()
    with torch.no_grad():
        pred = model(a_hat, x).argmax(1)
    print(f"final test accuracy: {(pred[test] == y[test]).float().mean().item():.4f}")


if __name__ == "__main__":
    main()
