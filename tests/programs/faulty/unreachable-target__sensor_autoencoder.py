"""Undercomplete autoencoder for correlated, standardised sensor channels.

fault: unreachable-target
also:
split: train
line: 36
"""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(55)
torch.set_num_threads(1)
latent = torch.randn(1500, 4)
mix = torch.randn(4, 20)
sensors = torch.tanh(latent @ mix * 0.4) * 3 + 0.1 * torch.randn(1500, 20)
train_set, val_set = random_split(TensorDataset(sensors), [1200, 300])
train_rows = sensors[train_set.indices]
mu, sd = train_rows.mean(0), train_rows.std(0)


def collate(rows):
    return (torch.stack([r[0] for r in rows]) - mu) / sd


train_loader = DataLoader(train_set, 50, shuffle=True, collate_fn=collate)
val_loader = DataLoader(val_set, 300, collate_fn=collate)

autoencoder = nn.Sequential()
autoencoder.add_module("enc1", nn.Linear(20, 32))
autoencoder.add_module("act1", nn.ReLU())
autoencoder.add_module("code", nn.Linear(32, 4))
autoencoder.add_module("dec1", nn.Linear(4, 32))
autoencoder.add_module("act2", nn.ReLU())
autoencoder.add_module("dec2", nn.Linear(32, 20))
autoencoder.add_module("out", nn.Sigmoid())

opt = torch.optim.Adam(autoencoder.parameters(), lr=4e-3)
for epoch in range(25):
    for batch in train_loader:
        loss = ((autoencoder(batch) - batch) ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    if epoch % 6 == 0:
        with torch.no_grad():
            (v,) = list(val_loader)
            ev = 1 - (autoencoder(v) - v).pow(2).mean() / v.var()
        print(f"epoch {epoch}: train mse {loss.item():.4f}  explained variance {ev.item():.4f}")
