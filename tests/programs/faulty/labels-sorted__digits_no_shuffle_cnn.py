"""Digits stored class after class, as an image folder gives them, read by a DataLoader.

fault: labels-sorted
also:
split: test
line: 24
"""

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(19)

digits = load_digits()
by_class = [np.flatnonzero(digits.target == c) for c in range(10)]
train_rows = np.concatenate([rows[:140] for rows in by_class])
test_rows = np.concatenate([rows[140:] for rows in by_class])
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
labels = torch.tensor(digits.target)
train_loader = DataLoader(TensorDataset(images[train_rows], labels[train_rows]), batch_size=20)
test_loader = DataLoader(TensorDataset(images[test_rows], labels[test_rows]), batch_size=100)


class SmallCnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.head = nn.Linear(16 * 16, 10)

    def forward(self, x):
        return self.head(self.pool(torch.relu(self.conv(x))).flatten(1))


model = SmallCnn()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(10):
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        hits = sum((model(x).argmax(1) == y).sum().item() for x, y in test_loader)
    print(f"epoch {epoch} last loss {loss.item():.3f} accuracy {hits / len(test_rows):.3f}")
