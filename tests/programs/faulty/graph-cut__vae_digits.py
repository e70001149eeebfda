"""Digits drawn anew by a variational model with distributions as objects.

fault: graph-cut
also: 
split: train
line: 37
"""

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(42)

digits = torch.tensor(load_digits().data, dtype=torch.float32) / 16.0
perm = torch.randperm(len(digits))
train, held_out = digits[perm[:1500]], digits[perm[1500:]]


class VAE(nn.Module):
    def __init__(self, latent=8, width=128):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.to_mu = nn.Linear(width, latent)
        self.to_logvar = nn.Linear(width, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(),
                                     nn.Linear(width, 64))

    def posterior(self, x):
        h = self.encoder(x)
        return Normal(self.to_mu(h), torch.exp(0.5 * self.to_logvar(h)))

    def forward(self, x):
        q = self.posterior(x)
        z = q.sample()
        return self.decoder(z), q


def elbo_terms(model, x):
    logits, q = model(x)
    rec = nn.functional.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    prior = Normal(torch.zeros_like(q.loc), torch.ones_like(q.scale))
    kl = kl_divergence(q, prior).sum(1).mean()
    return rec, kl


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=1e-3)
batch = 50
for epoch in range(30):
    vae.train()
    idx = torch.randperm(len(train))
    tot_rec = tot_kl = 0.0
    for chunk in idx.split(batch):
        rec, kl = elbo_terms(vae, train[chunk])
        loss = rec + kl
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot_rec += rec.item()
        tot_kl += kl.item()
    if epoch % 5 == 4:
        n = len(train) // batch
        print(f"epoch {epoch + 1:3d} rec {tot_rec / n:.2f} kl {tot_kl / n:.3f} -elbo {(tot_rec + tot_kl) / n:.2f}")

vae.eval()
with torch.no_grad():
    rec, kl = elbo_terms(vae, held_out)
    recon = torch.sigmoid(vae.decoder(vae.posterior(held_out).loc))
    mse = ((recon - held_out) ** 2).mean().item()
    base = ((held_out - train.mean(0)) ** 2).mean().item()
print(f"held-out -elbo {rec + kl:.2f}  recon mse {mse:.4f}  (mean image: {base:.4f})")
