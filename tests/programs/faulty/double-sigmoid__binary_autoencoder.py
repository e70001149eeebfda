"""An autoencoder of black-and-white digits whose loss is written with logsigmoid.

fault: double-sigmoid
also:
split: test
line: 36
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Decoder(nn.Module):
    def __init__(self, code):
        super().__init__()
        self.hidden = nn.Linear(code, 64)
        self.pixels = nn.Linear(64, 64)

    def forward(self, code):
        return self.pixels(F.leaky_relu(self.hidden(code))).sigmoid()


class AutoEncoder(nn.Module):
    def __init__(self, code=12):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(), nn.Linear(64, code))
        self.decoder = Decoder(code)

    def forward(self, x):
        return self.decoder(self.encoder(x))


def bernoulli_loss(score, pixel):
    return -(pixel * F.logsigmoid(score) + (1 - pixel) * F.logsigmoid(-score)).mean()


class Experiment:
    def __init__(self, lr=2e-3):
        self.pixels = (torch.tensor(load_digits().data) > 7).float()
        self.model = AutoEncoder()
        self.optimizer = torch.optim.RMSprop(self.model.parameters(), lr=lr)

    def epoch(self):
        for rows in torch.randperm(len(self.pixels)).split(64):
            batch = self.pixels[rows]
            loss = bernoulli_loss(self.model(2 * batch - 1), batch)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    def wrong_pixels(self):
        with torch.no_grad():
            probability = torch.sigmoid(self.model(2 * self.pixels - 1))
        return ((probability > 0.5) != (self.pixels > 0.5)).float().mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(105)
    experiment = Experiment()
    for number in range(12):
        loss = experiment.epoch()
        if number % 2 == 1:
            print(f"epoch {number + 1}: loss {loss:.4f}, wrong pixels {experiment.wrong_pixels():.3%}")
