"""Points inside and outside of a ring.

fault: too-small-model
also: missing-nonlinearity
split: train
line: 16
"""

import torch
from sklearn.datasets import make_circles
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def build():
    return nn.Linear(2, 1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(91)
    points, inside = make_circles(1500, noise=0.08, factor=0.5, random_state=0)
    x = torch.tensor(points, dtype=torch.float32) * 1.5
    y = torch.tensor(inside, dtype=torch.float32).unsqueeze(1)
    loader = DataLoader(TensorDataset(x[:1200], y[:1200]), batch_size=40, shuffle=True)
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(15):
        for points, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(points), labels)
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            right = ((model(x[1200:]) > 0).float() == y[1200:]).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right:.3f}")


if __name__ == "__main__":
    main()
