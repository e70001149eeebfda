"""Nodes of a graph by convolutions.

split: test
"""

# Semi-supervised node classification on a stochastic block model, GCN written by hand.
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(42)

N, K, DIM = 600, 4, 24
blocks = torch.randint(0, K, (N,))
same = blocks[:, None] == blocks[None, :]
prob = torch.where(same, torch.tensor(0.05), torch.tensor(0.008))
upper = torch.triu(torch.rand(N, N) < prob, diagonal=1).float()
adj = upper + upper.T + torch.eye(N)
deg = adj.sum(1)
a_hat = adj / (deg[:, None] * deg[None, :]).sqrt()

centres = 0.6 * torch.randn(K, DIM)
feats = centres[blocks] + torch.randn(N, DIM)
feats = (feats - feats.mean(0)) / feats.std(0)

perm = torch.randperm(N)
train_idx, val_idx, test_idx = perm[:120], perm[120:240], perm[240:]


class GCN(nn.Module):
    def __init__(self, d_in, d_hid, d_out, p=0.4):
        super().__init__()
        self.w1 = nn.Linear(d_in, d_hid)
        self.w2 = nn.Linear(d_hid, d_out)
        self.p = p

    def forward(self, x, a):
        x = F.dropout(x, self.p, self.training)
        h = F.relu(a @ self.w1(x))
        h = F.dropout(h, self.p, self.training)
        return a @ self.w2(h)


net = GCN(DIM, 32, K)
opt = torch.optim.Adam(net.parameters(), lr=1e-2, weight_decay=5e-4)
best_val, best_state = 0.0, None
for epoch in range(1, 121):
    net.train()
    opt.zero_grad()
    logits = net(feats, a_hat)
    loss = F.cross_entropy(logits[train_idx], blocks[train_idx])
    loss.backward()
    opt.step()
    net.eval()
    with torch.no_grad():
        pred = net(feats, a_hat).argmax(1)
    val_acc = (pred[val_idx] == blocks[val_idx]).float().mean().item()
    if val_acc > best_val:
        best_val = val_acc
        best_state = {k: v.clone() for k, v in net.state_dict().items()}
    if epoch % 20 == 0:
        print(f"epoch {epoch} loss {loss.item():.4f} val {val_acc:.3f}")

net.load_state_dict(best_state)
net.eval()
with torch.no_grad():
    pred = net(feats, a_hat).argmax(1)
print(f"test accuracy {(pred[test_idx] == blocks[test_idx]).float().mean():.3f}")
