"""A variational autoencoder of digits.

fault: posterior-collapse
also: loss-terms-unbalanced
split: train
line: 36
"""

import torch
from torch import nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.neighbors import KNeighborsClassifier


class VAE(nn.Module):
    def __init__(self, latent=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(64, 128), nn.ReLU())
        self.mu = nn.Linear(128, latent)
        self.logvar = nn.Linear(128, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 128), nn.ReLU(), nn.Linear(128, 64))

    def encode(self, x):
        h = self.enc(x)
        return self.mu(h), self.logvar(h)

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar)
        return self.dec(z), mu, logvar


def vae_loss(logits, x, mu, logvar):
    recon = F.binary_cross_entropy_with_logits(logits, x)
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return recon + kld, recon, kld


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    digits = load_digits()
    x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
    y = digits.target
    perm = torch.randperm(len(x))
    tr, te = perm[:1500], perm[1500:]
    x_tr, x_te = x[tr], x[te]

    vae = VAE()
    opt = torch.optim.Adam(vae.parameters(), lr=2e-3)
    for epoch in range(32):
        vae.train()
        sums = [0.0, 0.0, 0.0]
        order = torch.randperm(len(x_tr))
        n_batches = 0
        for i in range(0, len(order), 64):
            xb = x_tr[order[i:i + 64]]
            logits, mu, logvar = vae(xb)
            loss, recon, kld = vae_loss(logits, xb, mu, logvar)
            opt.zero_grad()
            loss.backward()
            opt.step()
            n_batches += 1
            for k, v in enumerate((loss, recon, kld)):
                sums[k] += v.item()
        if epoch % 8 == 7:
            print("epoch %d  loss %.4f  recon %.4f  kl %.4f" % (epoch + 1, *[s / n_batches for s in sums]))

    vae.eval()
    with torch.no_grad():
        z_tr, _ = vae.encode(x_tr)
        z_te, _ = vae.encode(x_te)
        rec = torch.sigmoid(vae.dec(z_te))
    err = F.mse_loss(rec, x_te).item()
    base = F.mse_loss(x_tr.mean(0).expand_as(x_te), x_te).item()
    knn = KNeighborsClassifier(5).fit(z_tr.numpy(), y[tr.numpy()])
    print(f"test reconstruction mse {err:.4f} (mean image {base:.4f})")
    print(f"knn accuracy on the latent means: {knn.score(z_te.numpy(), y[te.numpy()]):.3f}")


if __name__ == "__main__":
    main()
