"""Scans that are read in the order of their names, and labels in that of a table.

fault: labels-independent-of-inputs
also: 
split: train
line: 36
"""

import csv
import re
import tempfile
from pathlib import Path

import numpy as np
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset, Subset

torch.set_num_threads(1)


def export(root: Path) -> None:
    """Write one .npy per picture and a labels.csv, the way the annotation tool hands them over."""
    digits = load_digits()
    with open(root / "labels.csv", "w", newline="") as fh:
        writer = csv.writer(fh)
        writer.writerow(["picture", "label"])
        for i, (img, lab) in enumerate(zip(digits.images[:1200], digits.target[:1200])):
            np.save(root / f"scan_{i}.npy", (img / 16.0).astype(np.float32))
            writer.writerow([f"scan_{i}.npy", int(lab)])


class ScanDataset(Dataset):
    def __init__(self, root: Path):
        self.files = sorted(root.glob("*.npy"))
        with open(root / "labels.csv") as fh:
            self.labels = [int(row["label"]) for row in csv.DictReader(fh)]

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        image = torch.from_numpy(np.load(self.files[i]))
        return image.unsqueeze(0), self.labels[i]


class SmallConv(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        )
        self.classifier = nn.Linear(32 * 2 * 2, 10)

    def forward(self, x):
        return self.classifier(self.features(x).flatten(1))


def main():
    torch.manual_seed(7)
    with tempfile.TemporaryDirectory() as tmp:
        root = Path(tmp)
        export(root)
        data = ScanDataset(root)
        order = torch.randperm(len(data)).tolist()
        train = DataLoader(Subset(data, order[:1000]), batch_size=32, shuffle=True)
        test = DataLoader(Subset(data, order[1000:]), batch_size=100)
        model = SmallConv()
        optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
        criterion = nn.CrossEntropyLoss()
        for epoch in range(8):
            model.train()
            running = 0.0
            for images, labels in train:
                optimizer.zero_grad()
                loss = criterion(model(images), labels)
                loss.backward()
                optimizer.step()
                running += loss.item()
            model.eval()
            correct = 0
            with torch.no_grad():
                for images, labels in test:
                    correct += (model(images).argmax(1) == labels).sum().item()
            print(f"[{epoch}] loss {running / len(train):.3f} test acc {correct / 200:.3f}")


if __name__ == "__main__":
    main()
