"""Ratings of items by users.

fault: odd-momentum
also: 
split: test
line: 46
"""

import numpy as np
import torch


torch.set_num_threads(1)
torch.manual_seed(21)
rs = np.random.RandomState(21)

# item-item matrix factorisation on simulated ratings (users x items, rank 6)
n_u, n_i, rank = 300, 200, 6
U = rs.randn(n_u, rank) / np.sqrt(rank)
V = rs.randn(n_i, rank)
bias = 0.5 * rs.randn(n_i)
obs = rs.rand(n_u, n_i) < 0.30
u, i = np.nonzero(obs)
r = (U[u] * V[i]).sum(1) + bias[i] + 0.2 * rs.randn(len(u))
p = rs.permutation(len(u))
u, i, r = torch.tensor(u[p]), torch.tensor(i[p]), torch.tensor(r[p]).float()
cut = int(0.85 * len(r))
print("ratings", len(r), "train", cut)


class MF(torch.nn.Module):
    def __init__(self, nu, ni, k=8):
        super().__init__()
        self.pu = torch.nn.Embedding(nu, k)
        self.qi = torch.nn.Embedding(ni, k)
        self.bi = torch.nn.Embedding(ni, 1)
        torch.nn.init.normal_(self.pu.weight, std=0.3)
        torch.nn.init.normal_(self.qi.weight, std=0.3)
        torch.nn.init.zeros_(self.bi.weight)

    def forward(self, a, b):
        return (self.pu(a) * self.qi(b)).sum(-1) + self.bi(b).squeeze(-1)


net = MF(n_u, n_i)
opt = torch.optim.Adam(net.parameters(), lr=0.01, betas=(0.999, 0.9))
lam = 2e-3

for epoch in range(17):
    order = torch.randperm(cut)
    s = 0.0
    for j in range(0, cut, 256):
        k = order[j:j + 256]
        a, b = u[k], i[k]
        err = (net(a, b) - r[k]).square().mean()
        reg = net.pu(a).square().sum(1).mean() + net.qi(b).square().sum(1).mean()
        loss = err + lam * reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        s += err.item() * len(k)
    with torch.no_grad():
        rmse = (net(u[cut:], i[cut:]) - r[cut:]).square().mean().sqrt().item()
    print(f"epoch {epoch + 1:2d}  train rmse {(s / cut) ** 0.5:.3f}  test rmse {rmse:.3f}  (std of ratings {r[cut:].std():.3f})")
