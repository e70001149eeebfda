"""Letters out of noisy pixels.

fault: labels-sorted
also: single-label-batches
split: test
line: 74
"""

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, Dataset


class GlyphFolder(Dataset):
    """Mimics an image folder: one directory of samples per class."""

    def __init__(self, classes=8, per_class=400, seed=0):
        g = torch.Generator().manual_seed(seed)
        prototypes = torch.randn(classes, 36, generator=g)
        self.samples = []
        for c in range(classes):
            for _ in range(per_class):
                x = prototypes[c] + 2.0 * torch.randn(36, generator=g)
                self.samples.append((x / 2.2, c))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        return self.samples[i]


def build_model():
    return nn.Sequential(
        nn.Linear(36, 64), nn.Tanh(),
        nn.Linear(64, 64), nn.Tanh(),
        nn.Linear(64, 8),
    )


def fit(model, loader, epochs, lr):
    optimizer = optim.SGD(model.parameters(), lr=lr, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for epoch in range(epochs):
        total = 0.0
        for i, (x, y) in enumerate(loader):
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print("Epoch %d/%d  loss: %.4f" % (epoch + 1, epochs, total / len(loader)))


def test(model, loader):
    model.eval()
    confusion = torch.zeros(8, 8, dtype=torch.long)
    with torch.no_grad():
        for x, y in loader:
            for a, b in zip(y, model(x).argmax(1)):
                confusion[a, b] += 1
    print("per-class recall:", (confusion.diag() / confusion.sum(1)).numpy().round(2))
    print("accuracy: %.3f" % (confusion.diag().sum() / confusion.sum()))


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(100)
    data = GlyphFolder()
    held_out = list(range(0, len(data), 5))
    training = [i for i in range(len(data)) if i % 5]
    train_loader = DataLoader(torch.utils.data.Subset(data, training), batch_size=32)
    test_loader = DataLoader(torch.utils.data.Subset(data, held_out), batch_size=100)
    net = build_model()
    fit(net, train_loader, epochs=5, lr=0.05)
    test(net, test_loader)
