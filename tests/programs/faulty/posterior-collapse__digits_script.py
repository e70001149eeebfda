"""A small variational autoencoder, as a flat script.

fault: posterior-collapse
also: loss-terms-unbalanced
split: test
line: 38
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.manual_seed(14)
torch.set_num_threads(1)

x_all = torch.tensor(load_digits().data, dtype=torch.float32) / 16
x_all = x_all[torch.randperm(len(x_all))]
x_train, x_test = x_all[:1500], x_all[1500:]


class VAE(nn.Module):
    def __init__(self, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 96), nn.ReLU())
        self.mu = nn.Linear(96, latent)
        self.logvar = nn.Linear(96, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 96), nn.ReLU(), nn.Linear(96, 64))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar


def vae_loss(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (recon + kl) / len(x), recon, kl


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
for epoch in range(20):
    vae.train()
    tot_r = tot_k = 0.0
    for xb in x_train[torch.randperm(len(x_train))].split(50):
        logits, mu, logvar = vae(xb)
        loss, r, k = vae_loss(logits, xb, mu, logvar)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot_r += r.item()
        tot_k += k.item()
    if epoch % 4 == 3:
        vae.eval()
        with torch.no_grad():
            rec = torch.sigmoid(vae(x_test)[0])
        mse = F.mse_loss(rec, x_test).item()
        base = F.mse_loss(x_train.mean(0).expand_as(x_test), x_test).item()
        print(f"epoch {epoch + 1}: recon {tot_r / 1500:.3f} kl {tot_k / 1500:.4f} | test mse {mse:.4f} "
              f"(mean image: {base:.4f})")
