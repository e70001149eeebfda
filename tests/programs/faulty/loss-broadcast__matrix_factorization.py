"""Biased matrix factorisation for synthetic star ratings.

fault: loss-broadcast
also:
split: train
line: 42
"""
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(1)
torch.set_num_threads(1)
rs = np.random.RandomState(1)
n_users, n_items, k = 150, 120, 3
U = rs.randn(n_users, k) * 0.6
V = rs.randn(n_items, k) * 0.6
bu, bi = rs.randn(n_users) * 0.4, rs.randn(n_items) * 0.5
uu, ii = np.nonzero(rs.rand(n_users, n_items) < 0.5)
r = 3.5 + bu[uu] + bi[ii] + (U[uu] * V[ii]).sum(1) + 0.2 * rs.randn(len(uu))
r = np.clip(r, 0.5, 5.5).astype(np.float32)
perm = rs.permutation(len(r))
cut = int(0.85 * len(r))
tr, te = perm[:cut], perm[cut:]


class BiasedMF(nn.Module):
    def __init__(self, nu, ni, dim=8):
        super().__init__()
        self.user = nn.Embedding(nu, dim)
        self.item = nn.Embedding(ni, dim)
        self.user_bias = nn.Embedding(nu, 1)
        self.item_bias = nn.Embedding(ni, 1)
        self.mu = nn.Parameter(torch.tensor(3.0))
        for e in (self.user, self.item, self.user_bias, self.item_bias):
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(dim=1, keepdim=True)
        out = self.mu + dot + self.user_bias(u) + self.item_bias(i)
        return out


def tens(ix):
    return torch.as_tensor(uu[ix]), torch.as_tensor(ii[ix]), torch.as_tensor(r[ix])


loader = DataLoader(TensorDataset(*tens(tr)), batch_size=256, shuffle=True)
model = BiasedMF(n_users, n_items)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=1e-5)
ut, it, rt = tens(te)
for epoch in range(25):
    tot = 0
    for u, i, rating in loader:
        loss = torch.mean((model(u, i) - rating) ** 2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item()
    if epoch % 6 == 0 or epoch == 24:
        with torch.no_grad():
            rmse = (model(ut, it).flatten() - rt).pow(2).mean().sqrt()
        print(f"epoch {epoch}: train {tot / len(loader):.4f} test RMSE {rmse:.4f}")
