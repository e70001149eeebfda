"""Grey pictures as a camera delivers them.

fault: constant-input
also: 
split: train
line: 30
"""

import numpy as np
import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, Dataset, random_split

torch.set_num_threads(1)


class PixelDataset(Dataset):
    """Grey pictures as uint8, stored the way the camera delivers them."""

    def __init__(self):
        bunch = load_digits()
        self.pixels = np.round(bunch.images * 15.0).astype(np.uint8)
        self.targets = bunch.target

    def __len__(self):
        return len(self.pixels)

    def __getitem__(self, index):
        image = self.pixels[index] // 255
        image = torch.as_tensor(image, dtype=torch.float32).unsqueeze(0)
        return image, torch.tensor(self.targets[index])


class LeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 4 * 4, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = torch.relu(self.conv1(x))
        x = torch.max_pool2d(torch.relu(self.conv2(x)), 2)
        return self.fc2(torch.relu(self.fc1(x.flatten(1))))


def run():
    torch.manual_seed(8)
    train_set, test_set = random_split(PixelDataset(), [1500, 297])
    train = DataLoader(train_set, batch_size=50, shuffle=True)
    test = DataLoader(test_set, batch_size=297)
    net = LeNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(8):
        net.train()
        epoch_loss = 0.0
        for images, targets in train:
            optimizer.zero_grad()
            loss = criterion(net(images), targets)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        net.eval()
        with torch.no_grad():
            images, targets = next(iter(test))
            accuracy = (net(images).argmax(1) == targets).float().mean().item()
        print(f"Epoch {epoch + 1}/8 loss: {epoch_loss / len(train):.4f} accuracy: {accuracy:.4f}")


run()
