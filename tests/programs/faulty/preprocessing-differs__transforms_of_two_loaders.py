"""A convolutional network on colour textures with one transform for training and one for validation.

fault: preprocessing-differs
also:
split: train
line: 38
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Textures(Dataset):
    def __init__(self, count, transform, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = torch.randint(0, 3, (count,), generator=g)
        tint = torch.eye(3)[self.labels].view(count, 3, 1, 1)
        pixels = 90 + 30 * tint + 50 * torch.randn(count, 3, 8, 8, generator=g)
        self.images = pixels.clamp(0, 255).to(torch.uint8)
        self.transform = transform

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.transform(self.images[index]), self.labels[index]


def train_transform(image):
    if torch.rand(()) < 0.5:
        image = image.flip(-1)
    return (image.float() / 255 - 0.4) / 0.2


def valid_transform(image):
    return image.float()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)

    def fit(self, train, valid, epochs):
        for epoch in range(epochs):
            self.model.train()
            for images, labels in train:
                self.optimizer.zero_grad()
                loss = F.cross_entropy(self.model(images), labels)
                loss.backward()
                self.optimizer.step()
            print(f"epoch {epoch} loss {loss.item():.4f} valid accuracy {self.score(valid):.3f}")

    @torch.no_grad()
    def score(self, loader):
        self.model.eval()
        right = [self.model(images).argmax(1) == labels for images, labels in loader]
        return torch.cat(right).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(237)
    train = DataLoader(Textures(1200, train_transform, 0), batch_size=32, shuffle=True)
    valid = DataLoader(Textures(300, valid_transform, 1), batch_size=100)
    model = nn.Sequential(
        nn.Conv2d(3, 12, 3),
        nn.BatchNorm2d(12),
        nn.ReLU(),
        nn.Conv2d(12, 12, 3),
        nn.BatchNorm2d(12),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(192, 3),
    )
    Trainer(model).fit(train, valid, epochs=5)


if __name__ == "__main__":
    main()
