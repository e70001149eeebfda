"""Batches of 64 made of eight pieces of 8 whose losses are divided by eight; one step per eight pieces.

split: test
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(5)
PIECES = 8


def main():
    data = load_digits()
    x = torch.tensor(data.images / 16, dtype=torch.float32).unsqueeze(1)
    y = torch.tensor(data.target)
    perm = torch.randperm(len(x))
    train = TensorDataset(x[perm[:1408]], y[perm[:1408]])
    x_test, y_test = x[perm[1408:]], y[perm[1408:]]
    model = nn.Sequential(nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16 * 36, 10))
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for epoch in range(6):
        optimizer.zero_grad()
        for i, (xb, yb) in enumerate(DataLoader(train, batch_size=8, shuffle=True), 1):
            loss = nn.functional.cross_entropy(model(xb), yb) / PIECES
            loss.backward()
            if i % PIECES == 0:
                optimizer.step()
                optimizer.zero_grad()
        with torch.no_grad():
            accuracy = (model(x_test).argmax(1) == y_test).float().mean()
        print(f"epoch {epoch} accuracy {accuracy:.3f}")


main()
