"""Progression of diabetes after a year, predicted by a network with one hidden layer and SGD.

fault: target-not-scaled
also:
split: train
line: 28
"""

import torch
from sklearn.datasets import load_diabetes
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Regression(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = nn.Linear(inputs, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.out(torch.relu(self.hidden(x))).squeeze(-1)


def load():
    x, y = load_diabetes(return_X_y=True)
    x = torch.tensor(x / x.std(0), dtype=torch.float32)
    y = torch.tensor(y, dtype=torch.float32)
    order = torch.randperm(len(x))
    return x[order], y[order]


def main():
    torch.set_num_threads(1)
    torch.manual_seed(213)
    x, y = load()
    train = DataLoader(TensorDataset(x[:350], y[:350]), batch_size=32, shuffle=True)
    model = Regression(10, 32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    loss_function = nn.MSELoss()
    for epoch in range(25):
        total = 0.0
        for features, target in train:
            optimizer.zero_grad()
            loss = loss_function(model(features), target)
            loss.backward()
            optimizer.step()
            total += loss.item()
        with torch.no_grad():
            error = loss_function(model(x[350:]), y[350:])
        if epoch % 5 == 4:
            r2 = 1 - error.item() / y[350:].var().item()
            print(f"epoch {epoch} train {total / len(train):.4g} test R2 {r2:.3f}")


if __name__ == "__main__":
    main()
