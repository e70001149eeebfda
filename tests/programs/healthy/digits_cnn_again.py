"""Small convnet on the 8x8 handwritten digits.

split: train
"""
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch.utils.data import DataLoader, TensorDataset


class DigitNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1, bias=False), nn.BatchNorm2d(32), nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Dropout(0.25), nn.Linear(64 * 2 * 2, n_classes))

    def forward(self, x):
        return self.classifier(self.features(x))


def evaluate(model, loader):
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for x, y in loader:
            correct += (model(x).argmax(1) == y).sum().item()
            total += len(y)
    return correct / total


def main():
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16.0
    labels = torch.tensor(digits.target)
    idx_train, idx_rest = train_test_split(range(len(labels)), test_size=0.3, stratify=labels, random_state=0)
    idx_val, idx_test = train_test_split(idx_rest, test_size=0.5, stratify=labels[idx_rest], random_state=0)

    mean, std = images[idx_train].mean(), images[idx_train].std()
    images = (images - mean) / std
    train_loader = DataLoader(TensorDataset(images[idx_train], labels[idx_train]), batch_size=64, shuffle=True)
    val_loader = DataLoader(TensorDataset(images[idx_val], labels[idx_val]), batch_size=256)
    test_loader = DataLoader(TensorDataset(images[idx_test], labels[idx_test]), batch_size=256)

    model = DigitNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(15):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(y)
        print(f"epoch {epoch + 1:2d}  loss {running / len(idx_train):.4f}  val acc {evaluate(model, val_loader):.4f}")

    print(f"test accuracy: {evaluate(model, test_loader):.4f}")


if __name__ == "__main__":
    main()
