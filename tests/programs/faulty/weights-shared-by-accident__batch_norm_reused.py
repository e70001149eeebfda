"""A CNN on digits with one normalisation module for all of its stages.

fault: weights-shared-by-accident
also:
split: train
line: 22
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ConvNet(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.conv1 = nn.Conv2d(1, channels, 3, padding=1)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.conv3 = nn.Conv2d(channels, channels, 3, padding=1)
        self.bn = nn.BatchNorm2d(channels)
        self.fc = nn.Linear(channels * 4, 10)

    def forward(self, x):
        x = F.relu(self.bn(self.conv1(x)))
        x = F.max_pool2d(F.relu(self.bn(self.conv2(x))), 2)
        x = F.max_pool2d(F.relu(self.bn(self.conv3(x))), 2)
        return self.fc(x.flatten(1))


def evaluate(model, images, labels):
    model.eval()
    with torch.no_grad():
        logits = model(images)
    return F.cross_entropy(logits, labels).item(), (logits.argmax(1) == labels).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(72)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
    labels = torch.tensor(digits.target)
    loader = DataLoader(TensorDataset(images[:1400], labels[:1400]), batch_size=50, shuffle=True)
    model = ConvNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(4):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        test_loss, accuracy = evaluate(model, images[1400:], labels[1400:])
        print(f"epoch {epoch}: train {loss.item():.4f} test {test_loss:.4f} accuracy {accuracy:.3f}")


main()
