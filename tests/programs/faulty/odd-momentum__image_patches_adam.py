"""An autoencoder of digit images with Adam and its betas set by hand.

fault: odd-momentum
also: learning-rate-too-high
split: train
line: 33
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader


class Autoencoder(nn.Module):
    def __init__(self, code=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, code))
        self.decoder = nn.Sequential(nn.Linear(code, 64), nn.ReLU(), nn.Linear(64, 64))

    def forward(self, images):
        return self.decoder(self.encoder(images))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(442)
    images = torch.tensor(load_digits().data, dtype=torch.float32)
    images = (images - images.mean()) / images.std()
    loader = DataLoader(images[:1500], batch_size=50, shuffle=True)
    held_out = images[1500:]
    model = Autoencoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.999, 0.9))
    for epoch in range(10):
        for batch in loader:
            loss = nn.functional.mse_loss(model(batch), batch)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            error = nn.functional.mse_loss(model(held_out), held_out).item()
        print(f"epoch {epoch} loss {loss.item():.4f} held out {error:.4f}")


if __name__ == "__main__":
    main()
