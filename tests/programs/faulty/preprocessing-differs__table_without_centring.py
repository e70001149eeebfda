"""Wine told apart by a network on standardised measurements, with a separate function to read the test part.

fault: preprocessing-differs
also:
split: test
line: 39
"""

import numpy as np
import torch
from sklearn.datasets import load_wine
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Scaler:
    def fit(self, table):
        self.mean, self.std = table.mean(0), table.std(0)
        return self

    def transform(self, table):
        return ((table - self.mean) / self.std).astype(np.float32)


def read(part):
    x, y = load_wine(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(x))
    rows = rows[:130] if part == "train" else rows[130:]
    return x[rows], torch.tensor(y[rows])


def main():
    torch.set_num_threads(1)
    torch.manual_seed(238)
    table, kinds = read("train")
    scaler = Scaler().fit(table)
    loader = DataLoader(TensorDataset(torch.from_numpy(scaler.transform(table)), kinds), batch_size=13, shuffle=True)
    test_table, test_kinds = read("test")
    test_x = torch.from_numpy((test_table / scaler.std).astype(np.float32))
    model = nn.Sequential(nn.Linear(13, 24), nn.Tanh(), nn.Linear(24, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(30):
        model.train()
        for x, y in loader:
            loss = nn.functional.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            accuracy = (model(test_x).argmax(1) == test_kinds).float().mean().item()
        if epoch % 5 == 4:
            print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {accuracy:.3f}")


main()
