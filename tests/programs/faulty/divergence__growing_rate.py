"""A network on tumour records with momentum and a schedule of the rate.

fault: divergence
also: learning-rate-too-high
split: train
line: 29
"""

import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load():
    x, y = load_breast_cancer(return_X_y=True)
    x = torch.tensor((x - x.mean(0)) / x.std(0), dtype=torch.float32)
    order = torch.randperm(len(x))
    return x[order], torch.tensor(y)[order]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(473)
    x, y = load()
    loader = DataLoader(TensorDataset(x[:450], y[:450]), batch_size=25, shuffle=True)
    model = nn.Sequential(nn.Linear(30, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=1.5)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(16):
        for records, labels in loader:
            optimizer.zero_grad()
            loss = criterion(model(records), labels)
            loss.backward()
            optimizer.step()
        schedule.step()
        with torch.no_grad():
            test = criterion(model(x[450:]), y[450:]).item()
            right = (model(x[450:]).argmax(1) == y[450:]).float().mean().item()
        print(f"epoch {epoch} test loss {test:.4f} right {right:.3f}")


if __name__ == "__main__":
    main()
