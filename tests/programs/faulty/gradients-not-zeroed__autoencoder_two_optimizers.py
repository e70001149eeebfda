"""An autoencoder on digits whose encoder and decoder each have an optimizer of their own.

fault: gradients-not-zeroed
also:
split: train
line: 25
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Reconstruction:
    def __init__(self, images, width=12):
        self.images = images
        self.encoder = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, width))
        self.decoder = nn.Sequential(nn.Linear(width, 48), nn.Tanh(), nn.Linear(48, 64))
        self.encoder_optimizer = torch.optim.SGD(self.encoder.parameters(), lr=0.03, momentum=0.8)
        self.decoder_optimizer = torch.optim.SGD(self.decoder.parameters(), lr=0.03, momentum=0.8)

    def train_batch(self, batch):
        self.encoder_optimizer.zero_grad()
        loss = ((self.decoder(self.encoder(batch)) - batch) ** 2).mean()
        loss.backward()
        self.encoder_optimizer.step()
        self.decoder_optimizer.step()
        return loss.item()

    def fit(self, epochs, batch_size=64):
        for epoch in range(epochs):
            batches = torch.randperm(len(self.images)).split(batch_size)
            losses = [self.train_batch(self.images[rows]) for rows in batches]
            print(f"epoch {epoch:2d}  reconstruction error {sum(losses) / len(losses):.5f}")


torch.set_num_threads(1)
torch.manual_seed(2)
data = torch.tensor(load_digits().data, dtype=torch.float32)
data = (data - data.mean(0)) / (data.std(0) + 0.1)
Reconstruction(data).fit(epochs=12)
