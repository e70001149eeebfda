"""Nodes of a graph.

fault: summed-loss
also: learning-rate-too-high
split: test
line: 57
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(14)
torch.set_num_threads(1)

# stochastic block model, weak node features
N, K, D = 900, 5, 20
block = torch.randint(0, K, (N,))
same = block[:, None] == block[None]
prob = torch.where(same, 0.035, 0.006)
A = torch.triu((torch.rand(N, N) < prob).float(), 1)
A = A + A.T + torch.eye(N)
deg = A.sum(1)
A_hat = A / (deg[:, None] * deg[None]).sqrt()
centre = torch.randn(K, D)
feats = 0.5 * centre[block] + torch.randn(N, D)
feats = (feats - feats.mean(0)) / feats.std(0)
perm = torch.randperm(N)
mask_tr = torch.zeros(N, dtype=torch.bool)
mask_tr[perm[:400]] = True
mask_te = torch.zeros(N, dtype=torch.bool)
mask_te[perm[500:]] = True


class GCN(nn.Module):
    def __init__(self, d, h, k):
        super().__init__()
        self.w1 = nn.Linear(d, h)
        self.w2 = nn.Linear(h, h)
        self.w3 = nn.Linear(h, k)
        self.p = 0.2

    def forward(self, a, x):
        x = F.relu(a @ self.w1(x))
        x = F.dropout(x, self.p, self.training)
        x = F.relu(a @ self.w2(x))
        x = F.dropout(x, self.p, self.training)
        return self.w3(x)


gcn = GCN(D, 48, K)
opt = torch.optim.SGD(gcn.parameters(), lr=0.2, momentum=0.9, weight_decay=5e-4)

for it in range(201):
    gcn.train()
    out = gcn(A_hat, feats)
    loss = F.nll_loss(F.log_softmax(out[mask_tr], 1), block[mask_tr], reduction="sum")
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 40 == 0:
        gcn.eval()
        with torch.no_grad():
            pred = gcn(A_hat, feats).argmax(1)
        tr = (pred == block)[mask_tr].float().mean()
        te = (pred == block)[mask_te].float().mean()
        print(f"iter {it:3d} loss {loss.item():.4f} train acc {tr:.3f} test acc {te:.3f}")
