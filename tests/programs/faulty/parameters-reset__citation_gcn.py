"""Two-layer GCN on a generated citation-like graph, averaged over several random splits.

fault: parameters-reset
also:
split: train
line: 72
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_graph(n=1200, classes=5, dim=40, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    same = (y[:, None] == y[None, :]).float()
    prob = 0.012 * same + 0.0015 * (1 - same)
    upper = torch.triu((torch.rand(n, n, generator=g) < prob).float(), 1)
    adj = upper + upper.T + torch.eye(n)
    deg = adj.sum(1)
    a_hat = adj / (deg[:, None] * deg[None, :]).sqrt()
    centers = torch.randn(classes, dim, generator=g)
    x = 0.6 * centers[y] + 1.5 * torch.randn(n, dim, generator=g)
    return a_hat, x, y


class GCNLayer(nn.Module):
    def __init__(self, d_in, d_out):
        super().__init__()
        self.lin = nn.Linear(d_in, d_out)

    def reset_parameters(self):
        nn.init.xavier_uniform_(self.lin.weight)
        nn.init.zeros_(self.lin.bias)

    def forward(self, a_hat, x):
        return a_hat @ self.lin(x)


class GCN(nn.Module):
    def __init__(self, d_in, hidden, classes):
        super().__init__()
        self.conv1 = GCNLayer(d_in, hidden)
        self.conv2 = GCNLayer(hidden, classes)

    def reset_parameters(self):
        self.conv1.reset_parameters()
        self.conv2.reset_parameters()

    def forward(self, a_hat, x):
        x = F.dropout(x, 0.3, self.training)
        x = F.relu(self.conv1(a_hat, x))
        x = F.dropout(x, 0.5, self.training)
        return self.conv2(a_hat, x)


def random_split(n, seed):
    perm = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    return perm[:240], perm[240:480], perm[480:]


def main():
    torch.manual_seed(0)
    a_hat, x, y = make_graph()
    model = GCN(x.size(1), 24, 5)
    scores = []
    for split in range(3):
        train_idx, val_idx, test_idx = random_split(len(y), split)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
        best_val, test_at_best = 0.0, 0.0
        for epoch in range(150):
            model.reset_parameters()
            model.train()
            optimizer.zero_grad()
            loss = F.cross_entropy(model(a_hat, x)[train_idx], y[train_idx])
            loss.backward()
            optimizer.step()

            model.eval()
            with torch.no_grad():
                hit = (model(a_hat, x).argmax(1) == y).float()
            val = hit[val_idx].mean().item()
            if val > best_val:
                best_val, test_at_best = val, hit[test_idx].mean().item()
            if (epoch + 1) % 50 == 0:
                print(f"split {split} epoch {epoch + 1} loss {loss.item():.4f} val {val:.3f}")
        scores.append(test_at_best)
    print(f"mean test accuracy {sum(scores) / len(scores):.4f}")


if __name__ == "__main__":
    main()
