"""Photographs of a surface, sorted into fine, scratch and dent by a convolutional network; most of them are fine.

fault: class-imbalance
also:
split: train
line: 54
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def photograph(labels):
    images = torch.randn(len(labels), 1, 10, 10)
    for image, label in zip(images, labels.tolist(), strict=True):
        row, column = torch.randint(1, 8, (2,)).tolist()
        if label == 1:
            image[0, row, 2:8] += 1.8
        if label == 2:
            image[0, row : row + 2, column : column + 2] += 2.2
    return images


def collect(count, shares):
    labels = torch.multinomial(torch.tensor(shares), count, replacement=True)
    return TensorDataset(photograph(labels), labels)


class Inspector(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, 16, 3)
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        x = F.relu(self.conv2(F.relu(self.conv1(x))))
        return self.head(x.amax((2, 3)))


def balanced_accuracy(model, dataset):
    images, labels = dataset[:]
    with torch.no_grad():
        right = model(images).argmax(1) == labels
    return sum(right[labels == label].float().mean().item() for label in range(3)) / 3


def main():
    torch.set_num_threads(1)
    torch.manual_seed(222)
    train, test = collect(2500, [0.96, 0.02, 0.02]), collect(600, [0.4, 0.3, 0.3])
    loader = DataLoader(train, batch_size=50, shuffle=True)
    model = Inspector()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.08, momentum=0.9)
    for epoch in range(8):
        for images, labels in loader:
            loss = F.cross_entropy(model(images), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} balanced accuracy {balanced_accuracy(model, test):.3f}")


if __name__ == "__main__":
    main()
