"""Residual blocks on tabular data about tumours.

fault: activation-scale
also: exploding-gradient, badly-scaled-init, initial-loss-off
split: test
line: 23
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))
        nn.init.kaiming_normal_(self.body[0].weight)
        nn.init.kaiming_normal_(self.body[2].weight)

    def forward(self, x):
        return x + 2 * self.body(x)


def load():
    data = load_breast_cancer()
    x = torch.tensor(data.data, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    order = torch.randperm(len(x))
    return x[order], torch.tensor(data.target, dtype=torch.float32)[order]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    x, y = load()
    loader = DataLoader(TensorDataset(x[:430], y[:430]), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Linear(30, 24), *(Residual(24) for _ in range(6)), nn.Linear(24, 1), nn.Flatten(0))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(20):
        for batch, wanted in loader:
            optimizer.zero_grad()
            loss = criterion(model(batch), wanted)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            scores = model(x[430:])
            held_out = criterion(scores, y[430:]).item()
        print(f"{epoch} {held_out:.4f} {((scores > 0).float() == y[430:]).float().mean().item():.3f}")


main()
