"""A variational autoencoder of small digits.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(42)
digits = load_digits()
x = torch.tensor(digits.data / 16.0, dtype=torch.float32)
y = torch.tensor(digits.target)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=42, stratify=y)
train_loader = DataLoader(TensorDataset(x_train), batch_size=64, shuffle=True)


class VAE(nn.Module):
    def __init__(self, latent=6):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(64, 128)
        self.fc21 = nn.Linear(128, latent)
        self.fc22 = nn.Linear(128, latent)
        self.fc3 = nn.Linear(latent, 128)
        self.fc4 = nn.Linear(128, 64)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        h3 = F.relu(self.fc3(z))
        return torch.sigmoid(self.fc4(h3))

    def forward(self, x):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x, reduction="sum") / x.size(0)
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp()) / x.size(0)
    return BCE + KLD, BCE, KLD


model = VAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

for epoch in range(1, 61):
    model.train()
    totals = torch.zeros(3)
    for (data,) in train_loader:
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss, bce, kld = loss_function(recon, data, mu, logvar)
        loss.backward()
        optimizer.step()
        totals += torch.tensor([loss.item(), bce.item(), kld.item()])
    if epoch % 10 == 0:
        model.eval()
        with torch.no_grad():
            mu_tr, _ = model.encode(x_train)
            mu_te, _ = model.encode(x_test)
            mse = F.mse_loss(model.decode(mu_te), x_test).item()
        knn = KNeighborsClassifier(5).fit(mu_tr.numpy(), y_train.numpy())
        acc = knn.score(mu_te.numpy(), y_test.numpy())
        t = totals / len(train_loader)
        print("Epoch %d: loss %.3f (bce %.3f kld %.3f)  test recon mse %.4f  latent knn acc %.3f"
              % (epoch, t[0], t[1], t[2], mse, acc))
