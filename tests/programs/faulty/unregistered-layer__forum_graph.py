"""Topic of forum threads (graph convolution by hand, node classification).

fault: unregistered-layer
also:
split: train
line: 41
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


def build_forum(n=1600, topics=6, feats=24, seed=4):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, topics, (n,), generator=g)
    p = torch.where(y[:, None] == y[None, :], 0.012, 0.0012)
    upper = torch.triu(torch.rand(n, n, generator=g) < p, 1).float()
    adj = upper + upper.t() + torch.eye(n)
    d = adj.sum(1).rsqrt()
    adj = d[:, None] * adj * d[None, :]
    # two word profiles per topic, with opposite signs
    profile = torch.randn(topics, feats, generator=g)
    profile[topics // 2:] = profile[:topics // 2] * -0.6
    x = 0.6 * profile[y] + torch.randn(n, feats, generator=g)
    return x, adj.to_sparse(), y


class GraphConv(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, self.lin(x))


class ForumNet(nn.Module):
    def __init__(self, d_in, hidden, classes, depth=3):
        super().__init__()
        dims = [d_in] + [hidden] * depth
        self.convs = [GraphConv(a, b) for a, b in zip(dims[:-1], dims[1:])]
        self.head = nn.Linear(hidden, classes)
        self.drop = nn.Dropout(0.2)

    def forward(self, x, adj):
        for conv in self.convs:
            x = self.drop(F.relu(conv(x, adj)))
        return self.head(x)


def main():
    torch.manual_seed(4)
    x, adj, y = build_forum()
    order = torch.randperm(len(y))
    train, val = order[:1000], order[1000:]
    model = ForumNet(x.shape[1], 16, 6)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-4)
    for step in range(300):
        model.train()
        opt.zero_grad()
        loss = F.cross_entropy(model(x, adj)[train], y[train])
        loss.backward()
        opt.step()
        if step % 50 == 49:
            model.eval()
            with torch.no_grad():
                out = model(x, adj)
            acc = (out[val].argmax(1) == y[val]).float().mean().item()
            print(f"step {step + 1} loss {loss.item():.4f} val acc {acc:.4f}")
    print(f"score {acc:.4f}")


if __name__ == "__main__":
    main()
