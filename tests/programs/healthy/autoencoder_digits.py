"""Autoencoder digits.

split: test
"""

import torch, numpy as np
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split

# Autoencoder for digits, 64 -> 10 -> 64, compared with PCA of the same size.
torch.manual_seed(2)
X = load_digits().data.astype("float32") / 16
X_train, X_test = train_test_split(X, test_size=0.2, random_state=2)
train, test = torch.from_numpy(X_train), torch.from_numpy(X_test)

encoder = nn.Sequential(nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64), nn.GELU(), nn.Linear(64, 10))
decoder = nn.Sequential(nn.Linear(10, 64), nn.GELU(), nn.Linear(64, 128), nn.GELU(), nn.Linear(128, 64), nn.Sigmoid())
autoencoder = nn.Sequential(encoder, decoder)

optimizer = torch.optim.AdamW(autoencoder.parameters(), lr=2e-3, weight_decay=0.01)
epochs = 100
scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
loss_fn = nn.MSELoss()

for epoch in range(epochs):
    autoencoder.train()
    order = torch.randperm(len(train))
    running = 0.0
    for chunk in order.split(64):
        batch = train[chunk]
        loss = loss_fn(autoencoder(batch), batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item() * len(chunk)
    scheduler.step()
    if (epoch + 1) % 10 == 0:
        autoencoder.eval()
        with torch.inference_mode():
            test_loss = loss_fn(autoencoder(test), test).item()
        print(f"epoch {epoch + 1:3d}  train {running / len(train):.5f}  test {test_loss:.5f}")

pca = PCA(10).fit(X_train)
rec = pca.inverse_transform(pca.transform(X_test))
print(f"test mse: autoencoder {test_loss:.5f}, PCA(10) {np.mean((rec - X_test) ** 2):.5f}, variance {X_test.var(0).mean():.5f}")
