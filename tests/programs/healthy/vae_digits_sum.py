"""A variational autoencoder of digits: the ELBO is summed over pixels and latents and averaged over the batch.

split: train
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(21)


class VAE(nn.Module):
    def __init__(self, pixels=64, hidden=128, latent=6):
        super().__init__()
        self.enc = nn.Linear(pixels, hidden)
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec1 = nn.Linear(latent, hidden)
        self.dec2 = nn.Linear(hidden, pixels)

    def forward(self, x):
        h = F.relu(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return torch.sigmoid(self.dec2(F.relu(self.dec1(z)))), mu, logvar


def elbo(recon, x, mu, logvar):
    bce = F.binary_cross_entropy(recon, x, reduction="sum")
    kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (bce + kld) / len(x)


x = torch.tensor(load_digits().data / 16.0, dtype=torch.float32)
train_x, test_x = x[:1500], x[1500:]
loader = DataLoader(TensorDataset(train_x), batch_size=64, shuffle=True)
model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(1, 21):
    model.train()
    running = 0.0
    for (batch,) in loader:
        recon, mu, logvar = model(batch)
        loss = elbo(recon, batch, mu, logvar)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
    if epoch % 5 == 0:
        model.eval()
        with torch.no_grad():
            recon, mu, logvar = model(test_x)
            print(epoch, running / len(loader), "test", elbo(recon, test_x, mu, logvar).item())
with torch.no_grad():
    error = F.mse_loss(model(test_x)[0], test_x).item()
print(f"reconstruction error {error:.4f}, variance of the pixels {test_x.var(0).mean().item():.4f}")
