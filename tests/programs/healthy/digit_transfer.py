"""A small convolutional network learns five digits, then five others with a new head.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset, random_split


class SmallCNN(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.head = nn.Linear(32 * 4 * 4, n_classes)

    def features(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.relu(self.conv2(x))
        return x.flatten(1)

    def forward(self, x):
        return self.head(self.features(x))


class Trainer:
    def __init__(self, model, optimizer, train_loader, val_loader):
        self.model = model
        self.optimizer = optimizer
        self.train_loader = train_loader
        self.val_loader = val_loader

    def train_epoch(self):
        self.model.train()
        total, count = 0.0, 0
        for x, y in self.train_loader:
            loss = F.cross_entropy(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            total += loss.item() * len(y)
            count += len(y)
        return total / count

    @torch.no_grad()
    def evaluate(self):
        self.model.eval()
        correct, count = 0, 0
        for x, y in self.val_loader:
            correct += (self.model(x).argmax(1) == y).sum().item()
            count += len(y)
        return correct / count

    def fit(self, epochs, name):
        for e in range(epochs):
            loss = self.train_epoch()
            print(f"[{name}] epoch {e:2d} loss {loss:.4f} val acc {self.evaluate():.4f}")


def make_loaders(images, labels, seed):
    ds = TensorDataset(images, labels)
    n_val = len(ds) // 4
    g = torch.Generator().manual_seed(seed)
    train, val = random_split(ds, [len(ds) - n_val, n_val], generator=g)
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(val, batch_size=128)


def main():
    torch.manual_seed(7)
    data = load_digits()
    images = torch.tensor(data.images, dtype=torch.float32).unsqueeze(1) / 16.0
    labels = torch.tensor(data.target)
    low = labels < 5

    src_train, src_val = make_loaders(images[low], labels[low], 1)
    dst_train, dst_val = make_loaders(images[~low], labels[~low] - 5, 2)

    model = SmallCNN(5)
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    Trainer(model, opt, src_train, src_val).fit(12, "pretrain")

    for p in model.parameters():
        p.requires_grad = False
    model.head = nn.Linear(32 * 4 * 4, 5)
    opt = torch.optim.Adam(model.head.parameters(), lr=3e-3)
    trainer = Trainer(model, opt, dst_train, dst_val)
    trainer.fit(20, "transfer")
    print(f"transfer accuracy: {trainer.evaluate():.4f}")


if __name__ == "__main__":
    main()
