"""Pictures of shapes and their names come from two loaders that are read side by side; a convolutional network.

fault: labels-independent-of-inputs
also:
split: train
line: 62
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


def draw_shapes(count):
    names = torch.randint(0, 3, (count,))
    images = 0.5 * torch.randn(count, 1, 10, 10)
    for image, name in zip(images, names.tolist(), strict=True):
        row, column = torch.randint(0, 6, (2,)).tolist()
        if name == 0:
            image[0, row, column : column + 5] += 1.5
        elif name == 1:
            image[0, row : row + 5, column] += 1.5
        else:
            image[0, row : row + 3, column : column + 3] += 1.2
    return images, names


class ShapeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 12, 3), nn.ReLU(), nn.Conv2d(12, 16, 3), nn.ReLU())
        self.head = nn.Linear(16, 3)

    def forward(self, images):
        return self.head(self.features(images).amax((2, 3)))


class Trainer:
    def __init__(self, lr=5e-3):
        self.model = ShapeNet()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)

    def epoch(self, image_loader, name_loader):
        for images, names in zip(image_loader, name_loader, strict=True):
            loss = F.cross_entropy(self.model(images), names)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, images, names):
        return (self.model(images).argmax(1) == names).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(228)
    images, names = draw_shapes(1500)
    test_images, test_names = draw_shapes(300)
    image_loader = DataLoader(images, batch_size=50, shuffle=True)
    name_loader = DataLoader(names, batch_size=50, shuffle=True)
    trainer = Trainer()
    for epoch in range(8):
        loss = trainer.epoch(image_loader, name_loader)
        print(f"epoch {epoch} loss {loss:.4f} accuracy {trainer.accuracy(test_images, test_names):.3f}")


main()
