"""A model that predicts the number of a generated flower species as a value and rounds it.

fault: metric-not-following
also:
split: train
line: 20
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import make_blobs
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Species(nn.Module):
    def __init__(self, features, species):
        super().__init__()
        self.hidden = nn.Linear(features, 24)
        self.value = nn.Linear(24, 1)
        self.species = species

    def forward(self, x):
        return self.value(torch.relu(self.hidden(x)))


def loss_function(output, label):
    return F.mse_loss(output.squeeze(1), label.float())


def predict(output, species):
    return output.squeeze(1).round().clamp(0, species - 1).long()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(146)
    points, label = make_blobs(1800, n_features=3, centers=12, cluster_std=1.0, random_state=7)
    x = torch.tensor(points, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    y = torch.tensor(label)
    loader = DataLoader(TensorDataset(x[:1500], y[:1500]), batch_size=50, shuffle=True)
    model = Species(3, 12)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(15):
        for features, target in loader:
            loss = loss_function(model(features), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (predict(model(x[1500:]), 12) == y[1500:]).float().mean().item()
        print(f"epoch {epoch:2d}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")


main()
