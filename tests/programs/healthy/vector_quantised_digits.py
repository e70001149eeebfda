"""A vector-quantised autoencoder: straight-through codes and a commitment loss.

split: train
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(0)
X = torch.tensor(load_digits().data / 16, dtype=torch.float32)


class VQ(nn.Module):
    def __init__(self, k=32, d=8):
        super().__init__()
        self.code = nn.Embedding(k, d)
        nn.init.uniform_(self.code.weight, -0.5, 0.5)

    def forward(self, z):
        flat = z.reshape(-1, z.shape[-1])
        idx = torch.cdist(flat, self.code.weight).argmin(1)
        q = self.code(idx).view_as(z)
        loss = F.mse_loss(q, z.detach()) + 0.25 * F.mse_loss(z, q.detach())
        return z + (q - z).detach(), loss, idx


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU(), nn.Linear(96, 48))
        self.vq = VQ()
        self.dec = nn.Sequential(nn.Linear(48, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        q, l, idx = self.vq(self.enc(x).view(len(x), 6, 8))
        return self.dec(q.flatten(1)), l, idx


m = Model()
opt = torch.optim.Adam(m.parameters(), lr=2e-3)
for ep in range(25):
    for b in torch.randperm(1500).split(50):
        r, l, _ = m(X[b])
        loss = F.mse_loss(r, X[b]) + 0.1 * l
        opt.zero_grad()
        loss.backward()
        opt.step()
    if ep % 5 == 4:
        with torch.no_grad():
            r, l, idx = m(X[1500:])
        print(ep, "test mse", F.mse_loss(r, X[1500:]).item(), "of", X.var(0).mean().item(), "codes used", len(idx.unique()))
