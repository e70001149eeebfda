"""An autoencoder on digits with grey values from 0 to 16 and a sigmoid decoder.

fault: unreachable-target
also: target-not-scaled, output-activation
split: train
line: 37
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, code=12):
        super().__init__()
        self.norm = nn.BatchNorm1d(64)
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, code))
        self.decoder = nn.Sequential(nn.Linear(code, 64), nn.ReLU(), nn.Linear(64, 64), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(self.norm(x)))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(119)
    images = torch.tensor(load_digits().data, dtype=torch.float32)
    train, test = images[:1500], images[1500:]
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(10):
        model.train()
        for rows in torch.randperm(len(train)).split(50):
            batch = train[rows]
            loss = F.mse_loss(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            error = (model(test) - test).pow(2).mean() / test.var()
        print(f"epoch {epoch} loss {loss.item():.4f} unexplained share {error.item():.3f}")


main()
