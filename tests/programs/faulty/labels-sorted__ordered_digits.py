"""Digits that come class by class.

fault: labels-sorted
also: single-label-batches
split: test
line: 65
"""

import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset


class DigitFolder(Dataset):
    """Collects samples class by class, like an image folder would."""

    def __init__(self, split):
        X, y = load_digits(return_X_y=True)
        self.items = []
        for c in range(10):
            rows = X[y == c]
            cut = int(0.8 * len(rows))
            rows = rows[:cut] if split == "train" else rows[cut:]
            self.items += [(torch.tensor(r, dtype=torch.float32) / 16.0, c) for r in rows]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        x, c = self.items[i]
        return x.view(1, 8, 8), c


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.classifier = nn.Linear(32 * 16, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    loss_sum, correct, n = 0.0, 0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for x, y in loader:
            out = model(x)
            loss = criterion(out, y)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            loss_sum += loss.item() * len(x)
            correct += (out.argmax(1) == y).sum().item()
            n += len(x)
    return loss_sum / n, correct / n


torch.manual_seed(0)
train_loader = DataLoader(DigitFolder("train"), batch_size=32)
test_loader = DataLoader(DigitFolder("test"), batch_size=64)
model = ConvNet()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
for epoch in range(10):
    tl, ta = run_epoch(model, train_loader, criterion, optimizer)
    vl, va = run_epoch(model, test_loader, criterion)
    print(f"epoch {epoch + 1:2d} train {tl:.3f}/{ta:.3f} test {vl:.3f}/{va:.3f}")
