"""Trains an autoencoder on unlabelled curves, then a classifier on its encoder with a handful of labels.

fault: weights-not-loaded
also:
split: train
line: 59
"""

import torch
from torch import nn

torch.set_num_threads(1)


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(40, 32), nn.Tanh(), nn.Linear(32, 3))
        self.decoder = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 40))

    def forward(self, x):
        return self.decoder(self.encoder(x))


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(40, 32), nn.Tanh(), nn.Linear(32, 3))
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.backbone(x))


def curves(count):
    t = torch.linspace(0, 1, 40)
    amplitude, phase, slope = torch.randn(3, count, 1)
    x = amplitude * torch.sin(6 * t) + phase * torch.cos(6 * t) + slope * (2 * t - 1)
    return x + 0.8 * torch.randn(count, 40), (slope[:, 0] > 0).long()


def pretrain(steps):
    model = AutoEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(steps):
        x, _ = curves(64)
        loss = nn.functional.mse_loss(model(x), x)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"autoencoder: reconstruction error {loss.item():.4f}")
    return model.state_dict()


def main():
    torch.manual_seed(63)
    state = pretrain(200)
    classifier = Classifier()
    classifier.load_state_dict(state, strict=False)
    for parameter in classifier.backbone.parameters():
        parameter.requires_grad_(False)
    x, y = curves(30)
    x_test, y_test = curves(600)
    optimizer = torch.optim.Adam(classifier.head.parameters(), lr=0.03)
    for epoch in range(200):
        loss = nn.functional.cross_entropy(classifier(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 40 == 39:
            with torch.no_grad():
                accuracy = (classifier(x_test).argmax(1) == y_test).float().mean().item()
            print(f"epoch {epoch + 1}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")


main()
