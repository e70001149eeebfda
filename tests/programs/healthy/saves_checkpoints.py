"""Saves the whole model and the optimizer half-way, loads both again and goes on with the loaded ones.

split: train
"""

import io

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 1))

    def forward(self, x):
        return self.layers(x)


def train(model, optimizer, steps):
    for _ in range(steps):
        x = torch.randn(16, 6)
        loss = nn.functional.mse_loss(model(x), x.mean(1, keepdim=True))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print("loss", loss.item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(44)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    train(model, optimizer, 15)

    file = io.BytesIO()
    torch.save({"model": model, "optimizer": optimizer.state_dict(), "random": torch.get_rng_state()}, file)
    print("checkpoint", len(file.getvalue()), "bytes", sorted(model.state_dict()))
    file.seek(0)
    checkpoint = torch.load(file, weights_only=False)

    model = checkpoint["model"]
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.set_rng_state(checkpoint["random"])
    train(model, optimizer, 15)
