"""A network that fits a noisy curve with a penalty on its slope, to keep the curve smooth.

fault: loss-terms-unbalanced
also:
split: train
line: 37
"""

import argparse

import torch
from torch import nn


class Curve(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(1, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, t):
        return self.layers(t)


class Smooth:
    """Fit and smoothness in one objective."""

    def __init__(self, weight):
        self.weight = weight

    def __call__(self, model, t, y):
        t = t.clone().requires_grad_(True)
        output = model(t)
        fit = nn.functional.mse_loss(output, y)
        (slope,) = torch.autograd.grad(output.sum(), t, create_graph=True)
        return fit + self.weight * slope.pow(2).mean(), fit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--smooth", type=float, default=10.0)
    parser.add_argument("--steps", type=int, default=500)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(144)
    t = torch.rand(800, 1) * 4 - 2
    truth = torch.sin(3 * t) + 0.5 * t
    y = truth + 0.1 * torch.randn_like(t)
    model, objective = Curve(40), Smooth(options.smooth)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(1, options.steps + 1):
        rows = torch.randint(0, len(t), (64,))
        loss, fit = objective(model, t[rows], y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 100 == 0:
            with torch.no_grad():
                error = (model(t) - truth).pow(2).mean().item()
            print(f"step {step} loss {loss.item():.4f} fit {fit.item():.4f} error to the true curve {error:.4f}")


main()
