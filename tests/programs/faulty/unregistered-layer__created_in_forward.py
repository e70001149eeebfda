"""A convolutional network on digits that sizes its last layer by what arrives there.

fault: unregistered-layer
also: optimizer-missing-parameters
split: train
line: 27
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class FlexibleNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.classes = classes
        self.conv1 = nn.Conv2d(1, 12, 3, padding=1)
        self.conv2 = nn.Conv2d(12, 24, 3, padding=1)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv1(x)), 2)
        x = F.max_pool2d(torch.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        fc = nn.Linear(x.shape[1], self.classes)
        return fc(x)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(16)
    images, labels = load_digits(return_X_y=True)
    images = torch.tensor(images, dtype=torch.float32).reshape(-1, 1, 8, 8) / 8.0 - 1.0
    labels = torch.tensor(labels, dtype=torch.long)
    train = TensorDataset(images[:1400], labels[:1400])
    test_images, test_labels = images[1400:], labels[1400:]
    model = FlexibleNet(10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    for epoch in range(5):
        for x, y in DataLoader(train, batch_size=40, shuffle=True):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            right = (model(test_images).argmax(1) == test_labels).float().mean().item()
        model.train()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {right:.3f}")


if __name__ == "__main__":
    main()
