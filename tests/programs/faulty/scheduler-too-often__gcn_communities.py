"""Communities of a graph by a convolution over their neighbours.

fault: scheduler-too-often
also: 
split: train
line: 68
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.set_num_threads(1)
torch.manual_seed(12)


def make_graph(per_class=80, n_classes=4, p_in=0.08, p_out=0.012, n_feat=24):
    n = per_class * n_classes
    y = torch.arange(n_classes).repeat_interleave(per_class)
    prob = torch.where(y[:, None] == y[None, :], p_in, p_out)
    upper = torch.triu(torch.rand(n, n) < prob, diagonal=1).float()
    adj = upper + upper.T + torch.eye(n)
    deg = adj.sum(1)
    adj = adj / (deg[:, None] * deg[None, :]).sqrt()
    centers = torch.randn(n_classes, n_feat)
    x = 0.5 * centers[y] + torch.randn(n, n_feat)
    return x, adj, y


class GCN(nn.Module):
    def __init__(self, n_feat, hidden, n_classes, dropout=0.3):
        super().__init__()
        self.lin1 = nn.Linear(n_feat, hidden)
        self.lin2 = nn.Linear(hidden, n_classes)
        self.dropout = dropout

    def forward(self, x, adj):
        h = F.relu(adj @ self.lin1(x))
        h = F.dropout(h, self.dropout, training=self.training)
        return adj @ self.lin2(h)


x, adj, y = make_graph()
perm = torch.randperm(len(y))
train_mask, val_mask, test_mask = perm[:100], perm[100:180], perm[180:]

model = GCN(x.size(1), 32, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=5e-4)
scheduler = ReduceLROnPlateau(optimizer, factor=0.3, patience=3)


@torch.no_grad()
def evaluate(mask):
    model.eval()
    out = model(x, adj)[mask]
    return F.cross_entropy(out, y[mask]).item(), (out.argmax(1) == y[mask]).float().mean().item()


for epoch in range(1, 201):
    model.train()
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x, adj)[train_mask], y[train_mask])
    loss.backward()
    optimizer.step()

    val_loss, val_acc = evaluate(val_mask)
    scheduler.step(val_acc)
    if epoch % 20 == 0:
        print(f"epoch {epoch:3d} loss {loss.item():.4f} val loss {val_loss:.4f} val acc {val_acc:.3f} lr {optimizer.param_groups[0]['lr']:.2e}")

print("test loss %.4f, test accuracy %.3f" % evaluate(test_mask))
