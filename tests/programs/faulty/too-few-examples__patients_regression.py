"""Progression of diabetes predicted for patients of a study, with a DataLoader, a deep network and AdamW.

fault: too-few-examples
also: overfitting
split: train
line: 25
"""

import argparse

import torch
import torch.nn.functional as F
from sklearn.datasets import make_friedman1
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def study(patients, seed):
    x, y = make_friedman1(patients, n_features=20, noise=1.0, random_state=seed)
    return torch.tensor(x * 2 - 1, dtype=torch.float32), torch.tensor((y - 14.4) / 5, dtype=torch.float32).unsqueeze(1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--patients", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(225)
    train = DataLoader(TensorDataset(*study(args.patients, 0)), batch_size=16, shuffle=True)
    x_test, y_test = study(400, 1)
    model = nn.Sequential(nn.Linear(20, 96), nn.ReLU(), nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, 1))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        for x, y in train:
            loss = F.mse_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            error = F.mse_loss(model(x_test), y_test).item()
        print(f"epoch {epoch} train {loss.item():.4f} test {error:.4f}")


if __name__ == "__main__":
    main()
