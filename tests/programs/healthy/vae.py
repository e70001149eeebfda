"""A variational autoencoder of digits.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(0)


class VAE(nn.Module):
    def __init__(self, d_in=64, d_hid=128, d_lat=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d_in, d_hid), nn.ReLU(), nn.Linear(d_hid, d_hid), nn.ReLU())
        self.mu = nn.Linear(d_hid, d_lat)
        self.logvar = nn.Linear(d_hid, d_lat)
        self.dec = nn.Sequential(nn.Linear(d_lat, d_hid), nn.ReLU(), nn.Linear(d_hid, d_hid), nn.ReLU(),
                                 nn.Linear(d_hid, d_in))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * torch.exp(0.5 * logvar) if self.training else mu
        return self.dec(z), mu, logvar


def elbo(logits, x, mu, logvar, beta):
    rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1).mean()
    kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
    return rec + beta * kl, rec, kl


data = torch.tensor(load_digits().data, dtype=torch.float32) / 16
data = data[torch.randperm(len(data))]
train, test = data[:1400], data[1400:]

model = VAE()
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
n_epochs = 35
for epoch in range(n_epochs):
    beta = min(0.2, (epoch + 1) / 50)
    model.train()
    tot = 0.0
    for xb in train[torch.randperm(len(train))].split(100):
        logits, mu, logvar = model(xb)
        loss, rec, kl = elbo(logits, xb, mu, logvar, beta)
        opt.zero_grad()
        loss.backward()
        opt.step()
        tot += loss.item() * len(xb)
    if epoch % 5 == 4:
        model.eval()
        with torch.no_grad():
            logits, mu, logvar = model(test)
            _, rec, kl = elbo(logits, test, mu, logvar, 1.0)
            mse = (torch.sigmoid(logits) - test).pow(2).mean()
        print(f"epoch {epoch + 1:2d} train {tot / len(train):.3f} test rec {rec:.3f} kl {kl:.3f} mse {mse:.4f}")

baseline = (test - train.mean(0)).pow(2).mean()
print(f"mse of the mean image: {baseline:.4f}")
