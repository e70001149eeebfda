"""VAE on 8x8 digits with a Gaussian likelihood (fixed width) and a KL warm-up.

split: test
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

torch.manual_seed(7)
data = load_digits()
X = torch.tensor(data.data / 16.0, dtype=torch.float32)
y = torch.tensor(data.target)
i_tr, i_te = train_test_split(range(len(X)), test_size=0.25, random_state=7, stratify=data.target)
X_tr, X_te, y_tr, y_te = X[i_tr], X[i_te], y[i_tr], y[i_te]


SIGMA = 0.2


class VAE(nn.Module):
    def __init__(self, latent=6, h=96):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU())
        self.mu = nn.Linear(h, latent)
        self.logvar = nn.Linear(h, latent)
        self.dec = nn.Sequential(nn.Linear(latent, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


def elbo_terms(model, x):
    logits, mu, logvar = model(x)
    rec = (0.5 * ((torch.sigmoid(logits) - x) / SIGMA) ** 2).sum(1).mean()
    kl = (-0.5 * (1 + logvar - mu.pow(2) - logvar.exp())).sum(1).mean()
    return rec, kl


vae = VAE()
opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
EPOCHS, BS = 70, 64
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS, eta_min=1e-5)
for epoch in range(EPOCHS):
    beta = min(1.0, (epoch + 1) / 15)
    vae.train()
    perm = torch.randperm(len(X_tr))
    for i in range(0, len(perm), BS):
        rec, kl = elbo_terms(vae, X_tr[perm[i:i + BS]])
        loss = rec + beta * kl
        opt.zero_grad()
        loss.backward()
        opt.step()
    sched.step()
    if epoch % 10 == 9:
        vae.eval()
        with torch.no_grad():
            r, k = elbo_terms(vae, X_te)
        print(f"{epoch + 1:3d} beta {beta:.2f} train {loss.item():.2f}  test rec {r:.2f} kl {k:.2f} -elbo {r + k:.2f}")

vae.eval()
with torch.no_grad():
    m_tr, _ = vae.encode(X_tr)
    m_te, lv_te = vae.encode(X_te)
    active = (m_te.var(0) > 0.05).sum().item()
    rec_mse = (torch.sigmoid(vae.dec(m_te)) - X_te).pow(2).mean()
    base = (X_tr.mean(0) - X_te).pow(2).mean()
knn = KNeighborsClassifier(5).fit(m_tr.numpy(), y_tr.numpy())
print(f"test mse {rec_mse:.4f} (mean image {base:.4f}); active latents {active}/6; 5-NN on latent means acc {knn.score(m_te.numpy(), y_te.numpy()):.3f}")
