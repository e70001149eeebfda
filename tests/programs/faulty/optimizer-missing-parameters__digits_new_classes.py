"""Learn features on digits 0-5, then reuse them (frozen) to tell 6-9 apart.

fault: optimizer-missing-parameters
also:
split: test
line: 74
"""
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class SmallNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(32 * 16, 64), nn.ReLU(),
        )
        self.head = nn.Linear(64, n_classes)

    def forward(self, x):
        return self.head(self.features(x))


def make_loaders(images, labels, batch_size=32):
    a, b, c, d = train_test_split(images, labels, test_size=0.3, stratify=labels, random_state=1)
    train = TensorDataset(torch.from_numpy(a), torch.from_numpy(c))
    test = TensorDataset(torch.from_numpy(b), torch.from_numpy(d))
    return DataLoader(train, batch_size, shuffle=True), DataLoader(test, 256)


def fit(model, optimizer, loader, epochs):
    model.train()
    for epoch in range(epochs):
        total, n = 0.0, 0
        for xb, yb in loader:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(xb), yb)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(xb)
            n += len(xb)
        print(f"  epoch {epoch + 1}: loss {total / n:.4f}")


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = sum((model(xb).argmax(1) == yb).sum().item() for xb, yb in loader)
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(3)
    digits = load_digits()
    images = (digits.images / 16.0).astype("float32")[:, None]
    labels = digits.target
    base = labels < 6

    base_train, base_test = make_loaders(images[base], labels[base])
    model = SmallNet(6)
    print("base classes")
    fit(model, torch.optim.Adam(model.parameters(), lr=1e-3), base_train, 8)
    print(f"base accuracy {accuracy(model, base_test):.4f}")

    new_train, new_test = make_loaders(images[~base], labels[~base] - 6)
    for p in model.features.parameters():
        p.requires_grad = False
    optimizer = torch.optim.Adam(model.head.parameters(), lr=2e-2)
    model.head = nn.Linear(64, 4)
    print("new classes")
    fit(model, optimizer, new_train, 40)
    print(f"new-class accuracy {accuracy(model, new_test):.4f}")


if __name__ == "__main__":
    main()
