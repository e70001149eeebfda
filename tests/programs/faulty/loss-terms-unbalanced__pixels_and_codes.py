"""A variational autoencoder of small digits.

fault: loss-terms-unbalanced
also: posterior-collapse
split: test
line: 34
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader

torch.set_num_threads(1)
torch.manual_seed(63)


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, h), nn.ReLU())
        self.mu, self.logvar = nn.Linear(h, z), nn.Linear(h, z)
        self.dec = nn.Sequential(nn.Linear(z, h), nn.ReLU(), nn.Linear(h, d))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar


def elbo_loss(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").mean(dim=1)
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(dim=1)
    return rec.mean() + kl.mean(), kl.mean()


data = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
data = data[torch.randperm(len(data))]
train, test = data[:1500], data[1500:]
baseline = (test - train.mean(0)).pow(2).mean().item()
loader = DataLoader(train, batch_size=50, shuffle=True)

vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=3e-3)
for epoch in range(1, 26):
    vae.train()
    total = kl_total = 0.0
    for x in loader:
        logits, mu, logvar = vae(x)
        loss, kl = elbo_loss(logits, x, mu, logvar)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() / len(loader)
        kl_total += kl.item() / len(loader)
    if epoch % 5 == 0:
        vae.eval()
        with torch.no_grad():
            mse = (torch.sigmoid(vae(test)[0]) - test).pow(2).mean().item()
        print(f"epoch {epoch:2d} loss {total:.4f} kl {kl_total:.4f} test mse {mse:.4f} (mean image {baseline:.4f})")
