"""Denoising autoencoder on digits.

split: train
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits


class Denoiser(nn.Module):
    def __init__(self, bottleneck=24):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, bottleneck), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(bottleneck, 128), nn.ReLU(), nn.Linear(128, 64), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def add_noise(x, sigma=0.3):
    return x + sigma * torch.randn_like(x)


torch.manual_seed(21)
X = torch.tensor(load_digits().data, dtype=torch.float32) / 16
X = X[torch.randperm(len(X))]
X_train, X_val, X_test = X[:1300], X[1300:1500], X[1500:]
val_noisy, test_noisy = add_noise(X_val), add_noise(X_test)

model = Denoiser()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
mse = nn.MSELoss()

for epoch in range(80):
    model.train()
    epoch_loss = 0.0
    for batch in X_train[torch.randperm(len(X_train))].split(50):
        recon = model(add_noise(batch))        # fresh corruption every time
        loss = mse(recon, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(batch)
    if (epoch + 1) % 10 == 0:
        model.eval()
        with torch.no_grad():
            v = mse(model(val_noisy), X_val).item()
        print(f"epoch {epoch + 1}  train {epoch_loss / len(X_train):.5f}  val {v:.5f}")

model.eval()
with torch.no_grad():
    before = mse(test_noisy, X_test).item()
    after = mse(model(test_noisy), X_test).item()
    blur = mse(X_train.mean(0).expand_as(X_test), X_test).item()
print(f"test mse: noisy input {before:.4f}, mean image {blur:.4f}, denoised {after:.4f}")
