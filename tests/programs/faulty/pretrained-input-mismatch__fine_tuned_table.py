"""A network with batch-norm from one hospital gets a new head with the few patients of another.

fault: pretrained-input-mismatch
also: preprocessing-differs, input-not-scaled
split: train
line: 62
"""

import pathlib
import tempfile

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Triage(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Linear(9, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, 32), nn.BatchNorm1d(32), nn.ReLU()
        )
        self.head = nn.Linear(32, 3)

    def forward(self, x):
        return self.head(self.encoder(x))


def patients(count, twist):
    x = torch.randn(count, 9)
    score = x[:, 0] * x[:, 1] + x[:, 2] + twist * x[:, 3]
    return 37 + 2 * x, torch.bucketize(score, torch.tensor([-0.7, 0.7]))


def fit(model, parameters, x, y, epochs, lr):
    optimizer = torch.optim.AdamW(parameters, lr=lr)
    for _ in range(epochs):
        for features, labels in DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True, drop_last=True):
            loss = nn.functional.cross_entropy(model(features), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(243)
    checkpoint = pathlib.Path(tempfile.mkdtemp()) / "triage.pt"
    first = Triage()
    x, y = patients(2000, twist=0.0)
    fit(first, first.parameters(), (x - 37) / 2, y, epochs=8, lr=3e-3)
    torch.save(first.state_dict(), checkpoint)

    model = Triage()
    model.load_state_dict(torch.load(checkpoint))
    model.encoder.eval()
    for parameter in model.encoder.parameters():
        parameter.requires_grad = False
    x, y = patients(160, twist=0.3)
    x_test, y_test = patients(500, twist=0.3)
    mean, std = 0.0, 1.0
    loss = fit(model, model.head.parameters(), (x - mean) / std, y, epochs=10, lr=1e-3)
    model.eval()
    with torch.no_grad():
        accuracy = (model((x_test - mean) / std).argmax(1) == y_test).float().mean().item()
    print(f"fine-tuned: loss {loss:.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
