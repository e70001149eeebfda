"""A variational autoencoder of digits with summed terms.

fault: wrong-loss-sign
also:
split: train
line: 50,51
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(17)
images = torch.tensor(load_digits().images / 16.0, dtype=torch.float32).flatten(1)
train_loader = DataLoader(TensorDataset(images[:1500]), batch_size=50, shuffle=True, drop_last=True)
held_out = images[1500:]


class VAE(nn.Module):
    def __init__(self, d=64, h=128, z=8):
        super().__init__()
        self.enc = nn.Linear(d, h)
        self.mu = nn.Linear(h, z)
        self.logvar = nn.Linear(h, z)
        self.dec1 = nn.Linear(z, h)
        self.dec2 = nn.Linear(h, d)

    def encode(self, x):
        h = F.relu(self.enc(x))
        return self.mu(h), self.logvar(h)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + std * torch.randn_like(std)

    def decode(self, z):
        return torch.sigmoid(self.dec2(F.relu(self.dec1(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld, bce, kld


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(1, 26):
    model.train()
    sums = torch.zeros(3)
    for (x,) in train_loader:
        optimizer.zero_grad()
        recon, mu, logvar = model(x)
        loss, bce, kld = loss_function(recon, x, mu, logvar)
        loss.backward()
        optimizer.step()
        sums += torch.stack([loss, bce, kld]).detach()
    sums /= len(train_loader.dataset)
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            recon, mu, _ = model(held_out)
            val = F.mse_loss(recon, held_out)
        print(f"epoch {epoch} loss {sums[0]:.2f} bce {sums[1]:.2f} kld {sums[2]:.2f} | recon mse {val:.4f} |mu| {mu.abs().mean():.2f}")
