"""Train a small convolutional network on scikit-learn's digits: a healthy program that knows nothing of stetho.

Watch it with:  stetho run examples/digits.py
"""

import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

EPOCHS = 8
torch.set_num_threads(1)
torch.manual_seed(0)


def make_loaders() -> tuple[DataLoader, DataLoader]:
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
    images = (images - images.mean()) / images.std()
    data = TensorDataset(images, torch.tensor(digits.target))
    train, validation = random_split(data, [1500, len(data) - 1500])
    return DataLoader(train, batch_size=32, shuffle=True), DataLoader(validation, batch_size=128)


class DigitNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
        )
        self.classifier = nn.Sequential(nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 10))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(images))


@torch.no_grad()
def accuracy(model: nn.Module, loader: DataLoader) -> float:
    model.eval()
    correct = sum(int((model(images).argmax(1) == labels).sum()) for images, labels in loader)
    return correct / len(loader.dataset)


def main() -> None:
    train, validation = make_loaders()
    model = DigitNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        for images, labels in train:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
        schedule.step()
        print(f"epoch {epoch:2}: loss {loss.item():.4f}, validation accuracy {accuracy(model, validation):.3f}")


if __name__ == "__main__":
    main()
