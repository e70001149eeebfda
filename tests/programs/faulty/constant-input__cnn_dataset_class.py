"""A small convolutional network on digits, read through a Dataset class and a DataLoader.

fault: constant-input
also:
split: train
line: 26
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, Dataset


class DigitImages(Dataset):
    def __init__(self, images, labels):
        self.images = torch.tensor(images, dtype=torch.float32).unsqueeze(1) / 8 - 1
        self.labels = torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.images[0], self.labels[index]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1)
        self.fc = nn.Linear(24 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(201)
    digits = load_digits()
    parts = train_test_split(digits.images, digits.target, test_size=0.2, random_state=0)
    train_loader = DataLoader(DigitImages(parts[0], parts[2]), batch_size=32, shuffle=True)
    test_loader = DataLoader(DigitImages(parts[1], parts[3]), batch_size=128)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        model.train()
        for images, labels in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(images), labels)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = sum((model(images).argmax(1) == labels).sum().item() for images, labels in test_loader)
        print(f"epoch {epoch}: loss {loss.item():.4f}, test accuracy {right / len(parts[1]):.3f}")


if __name__ == "__main__":
    main()
