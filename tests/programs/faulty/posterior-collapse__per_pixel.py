"""A variational autoencoder with a small code.

fault: posterior-collapse
also: loss-terms-unbalanced
split: train
line: 41
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(40)

X = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
X = X[torch.randperm(len(X))]
train, test = X[:1500], X[1500:]


class VAE(nn.Module):
    def __init__(self, z=10, h=128):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, h), nn.ReLU())
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h).clamp(-8, 8)

    def forward(self, x):
        mu, lv = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return self.dec(z), mu, lv


def elbo(x, logits, mu, lv):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * (1 + lv - mu.pow(2) - lv.exp()).sum(1).mean()
    return rec + kl, rec, kl


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
for epoch in range(1, 41):
    vae.train()
    stats = torch.zeros(3)
    batches = train[torch.randperm(len(train))].split(100)
    for x in batches:
        loss, rec, kl = elbo(x, *vae(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        stats += torch.tensor([loss.item(), rec.item(), kl.item()])
    if epoch % 8 == 0:
        stats /= len(batches)
        print(f"epoch {epoch:2d} loss {stats[0]:.3f} rec {stats[1]:.3f} kl {stats[2]:.3f}")

vae.eval()
with torch.no_grad():
    mu, _ = vae.encode(test)
    rec = torch.sigmoid(vae.dec(mu))
    mse = (rec - test).pow(2).mean()
    base = (train.mean(0) - test).pow(2).mean()
print(f"test reconstruction mse {mse:.4f} (mean image {base:.4f}), spread of codes {mu.std(0).mean():.3f}")
