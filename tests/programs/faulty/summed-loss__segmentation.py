"""A small fully convolutional network that marks the pixels of discs in noisy pictures.

fault: summed-loss
also: learning-rate-too-high
split: train
line: 48
"""

import torch
import torch.nn.functional as F
from torch import nn


class Segmenter(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.conv1 = nn.Conv2d(1, channels, 5, padding=2)
        self.conv2 = nn.Conv2d(channels, channels, 5, padding=2)
        self.mask = nn.Conv2d(channels, 2, 1)

    def forward(self, x):
        return self.mask(F.relu(self.conv2(F.relu(self.conv1(x)))))


def discs(count, size=14):
    centre = torch.rand(count, 2, 1, 1) * 8 + 3
    radius = torch.rand(count, 1, 1) * 2 + 2
    grid = torch.arange(size).float()
    distance = ((grid.view(1, -1, 1) - centre[:, 0]) ** 2 + (grid.view(1, 1, -1) - centre[:, 1]) ** 2).sqrt()
    mask = (distance < radius).long()
    return (mask + 0.5 * torch.randn(count, size, size)).unsqueeze(1), mask


def overlap(model, images, masks):
    with torch.no_grad():
        guess = model(images).argmax(1)
    return ((guess & masks).sum() / (guess | masks).sum().clamp(min=1)).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(134)
    model = Segmenter()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    validation = discs(100)
    for step in range(1, 151):
        images, masks = discs(16)
        loss = F.cross_entropy(model(images), masks, reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            print(f"step {step}: loss {loss.item():.3f} overlap {overlap(model, *validation):.3f}")


main()
