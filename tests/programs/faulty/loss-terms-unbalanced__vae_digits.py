"""Variational autoencoder on 8x8 digits with a nearest-neighbour check of the latent space.

fault: loss-terms-unbalanced
also: posterior-collapse
split: train
line: 38
"""
import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier

torch.manual_seed(7)
torch.set_num_threads(1)


class VAE(nn.Module):
    def __init__(self, d_in=64, d_h=96, d_z=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d_in, d_h), nn.ELU())
        self.to_mu = nn.Linear(d_h, d_z)
        self.to_logvar = nn.Linear(d_h, d_z)
        self.dec = nn.Sequential(nn.Linear(d_z, d_h), nn.ELU(), nn.Linear(d_h, d_in))

    def encode(self, x):
        h = self.enc(x)
        return self.to_mu(h), self.to_logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo_terms(logits, x, mu, logvar):
    rec = F.binary_cross_entropy_with_logits(logits, x)
    kl = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return rec, kl


data, label = load_digits(return_X_y=True)
data = torch.tensor(data / 16.0, dtype=torch.float32)
g = torch.Generator().manual_seed(0)
p = torch.randperm(len(data), generator=g)
xtr, xte = data[p[:1400]], data[p[1400:]]
ytr, yte = label[p[:1400].numpy()], label[p[1400:].numpy()]

vae = VAE()
optimizer = torch.optim.Adam(vae.parameters(), lr=2e-3)
for epoch in range(30):
    vae.train()
    s_rec = s_kl = 0.0
    for b in torch.randperm(len(xtr)).split(64):
        xb = xtr[b]
        logits, mu, logvar = vae(xb)
        rec, kl = elbo_terms(logits, xb, mu, logvar)
        optimizer.zero_grad()
        (rec + kl).backward()
        optimizer.step()
        s_rec += rec.item()
        s_kl += kl.item()
    if epoch % 10 == 9:
        print(f"epoch {epoch + 1}: rec {s_rec:.3f} kl {s_kl:.4f}")

vae.eval()
with torch.no_grad():
    ztr, zte = vae.encode(xtr)[0].numpy(), vae.encode(xte)[0].numpy()
knn = KNeighborsClassifier(5).fit(ztr, ytr)
print("latent kNN accuracy: %.4f" % knn.score(zte, yte))
