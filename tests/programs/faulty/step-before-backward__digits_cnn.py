"""A convolutional network on the 8 x 8 digits, trained with Adam and a helper that does the update.

fault: step-before-backward
also: gradients-zeroed-before-step
split: train
line: 27
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def load():
    images, labels = load_digits(return_X_y=True)
    images = torch.tensor(images, dtype=torch.float32).view(-1, 1, 8, 8) / 8 - 1
    labels = torch.tensor(labels)
    order = torch.randperm(len(images))
    train, test = order[:1500], order[1500:]
    return (images[train], labels[train]), (images[test], labels[test])


def update(optimizer, loss):
    optimizer.zero_grad()
    optimizer.step()
    loss.backward()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(9)
    train, (test_images, test_labels) = load()
    loader = DataLoader(TensorDataset(*train), batch_size=50, shuffle=True)
    model = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(128, 10),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(5):
        for images, labels in loader:
            loss = F.cross_entropy(model(images), labels)
            update(optimizer, loss)
        with torch.no_grad():
            accuracy = (model(test_images).argmax(1) == test_labels).float().mean().item()
        print(f"epoch {epoch}: loss {loss.item():.3f}, test accuracy {accuracy:.3f}")


main()
