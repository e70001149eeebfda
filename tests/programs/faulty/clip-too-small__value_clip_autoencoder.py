"""A denoising autoencoder on generated curves, with momentum and clipped gradient values.

fault: clip-too-small
also:
split: train
line: 41, 51
"""

import argparse

import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, length=32, code=6):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(length, 48), nn.ReLU(), nn.Linear(48, code))
        self.decoder = nn.Sequential(nn.Linear(code, 48), nn.ReLU(), nn.Linear(48, length))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def curves(count, length=32):
    t = torch.linspace(-1, 1, length)
    a, b, c = torch.randn(3, count, 1)
    return a * t + b * torch.sin(3 * t) + c * (t**2 - 0.3)


def train(options):
    torch.manual_seed(options.seed)
    model = Denoiser()
    optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9)
    loss_function = nn.MSELoss()
    for step in range(options.steps):
        clean = curves(64)
        loss = loss_function(model(clean + 0.2 * torch.randn_like(clean)), clean)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), options.clip)
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: mse {loss.item():.4f}")
    print(f"final mse {loss.item():.4f} (signal variance {clean.var().item():.4f})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.05)
    parser.add_argument("--clip", type=float, default=1e-5)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seed", type=int, default=40)
    torch.set_num_threads(1)
    train(parser.parse_args())
