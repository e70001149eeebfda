"""A convolutional network on digits with random erasing in the Dataset of the training images.

fault: destroying-augmentation
also:
split: train
line: 52
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, Dataset


class RandomErasing:
    def __init__(self, size):
        self.size = size

    def __call__(self, image):
        row, column = torch.randint(0, 9 - self.size, (2,)).tolist()
        image = image.clone()
        image[:, row : row + self.size, column : column + self.size] = 0
        return image


class Digits(Dataset):
    def __init__(self, images, labels, transform=None):
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1) / 8
        self.labels = torch.tensor(labels)
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        image = self.images[index]
        return (self.transform(image) if self.transform else image), self.labels[index]


def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        right = [model(images).argmax(1) == labels for images, labels in loader]
    return torch.cat(right).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(234)
    data = load_digits()
    erase = RandomErasing(size=7)
    train = DataLoader(Digits(data.images[:1400], data.target[:1400], erase), batch_size=40, shuffle=True)
    valid = DataLoader(Digits(data.images[1400:], data.target[1400:]), batch_size=100)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3), nn.ReLU(), nn.Conv2d(16, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(256, 10)
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(6):
        model.train()
        for images, labels in train:
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {evaluate(model, valid):.3f}")


if __name__ == "__main__":
    main()
