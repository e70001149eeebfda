"""An autoencoder whose encoder and decoder learn one after the other.

fault: frozen-parameter
also:
split: test
line: 44
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class AutoEncoder(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, code))
        self.decoder = nn.Sequential(nn.Linear(code, 32), nn.ReLU(), nn.Linear(32, 64))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def set_trainable(part, on):
    for parameter in part.parameters():
        parameter.requires_grad_(on)


def run(model, optimizer, x, epochs):
    for epoch in range(epochs):
        for rows in torch.randperm(len(x)).split(64):
            loss = nn.functional.mse_loss(model(x[rows]), x[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


torch.set_num_threads(1)
torch.manual_seed(29)
x = torch.tensor(load_digits().data, dtype=torch.float32) / 8 - 1
model = AutoEncoder()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
set_trainable(model.encoder, False)
set_trainable(model.decoder, True)
run(model, optimizer, x, 20)
