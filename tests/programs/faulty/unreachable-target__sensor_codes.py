"""Broken sensors, by an autoencoder.

fault: unreachable-target
also: output-activation
split: test
line: 28
"""

import numpy as np
import torch
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, n_features, code=6):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(n_features, 48), nn.ELU(),
            nn.Linear(48, 24), nn.ELU(),
            nn.Linear(24, code),
        )
        self.decoder = nn.Sequential(
            nn.Linear(code, 24), nn.ELU(),
            nn.Linear(24, 48), nn.ELU(),
            nn.Linear(48, n_features),
            nn.Sigmoid(),
        )

    def forward(self, x):
        return self.decoder(self.encoder(x))


def plant_readings(n, mixing, rng, broken=False):
    latent = rng.normal(size=(n, mixing.shape[0]))
    readings = np.tanh(latent @ mixing) * 30 + 80 + rng.normal(scale=1.5, size=(n, mixing.shape[1]))
    if broken:
        for row in readings:
            bad = rng.choice(mixing.shape[1], 2, replace=False)
            row[bad] += rng.choice([-1, 1], 2) * rng.uniform(12, 20, 2)
    return readings


def fit(model, x, epochs=40, batch_size=64):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.96)
    loss_fn = nn.MSELoss()
    for epoch in range(epochs):
        model.train()
        running = 0.0
        for chunk in torch.randperm(x.size(0)).split(batch_size):
            batch = x[chunk]
            loss = loss_fn(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            running += loss.item() * len(chunk)
        scheduler.step()
        if (epoch + 1) % 10 == 0:
            print(f"epoch {epoch + 1:3d}  reconstruction loss {running / x.size(0):.4f}")


def errors(model, x):
    model.eval()
    with torch.no_grad():
        return ((model(x) - x) ** 2).mean(dim=1).numpy()


def main(seed=33):
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    mixing = rng.normal(size=(4, 20)) * 0.6
    train = plant_readings(2000, mixing, rng)
    normal = plant_readings(300, mixing, rng)
    broken = plant_readings(300, mixing, rng, broken=True)
    scaler = StandardScaler().fit(train)
    as_tensor = lambda a: torch.tensor(scaler.transform(a), dtype=torch.float32)

    model = AutoEncoder(train.shape[1])
    fit(model, as_tensor(train))
    e_normal, e_broken = errors(model, as_tensor(normal)), errors(model, as_tensor(broken))
    auc = roc_auc_score(np.r_[np.zeros(300), np.ones(300)], np.r_[e_normal, e_broken])
    print(f"held-out error {e_normal.mean():.4f}, broken {e_broken.mean():.4f}, AUC {auc:.4f}")


if __name__ == "__main__":
    main()
