"""A CNN on generated corners with probabilities and a hand-picked log in the loss.

fault: softmax-over-batch
also:
split: train
line: 36
"""

import torch
import torch.nn.functional as F
from torch import nn


class CornerNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3)
        self.fc = nn.Linear(8 * 9, 5)

    def forward(self, x):
        return self.fc(F.max_pool2d(torch.relu(self.conv(x)), 2).flatten(1))


def corners(count):
    """A bright patch in one of the corners or in none; none is the most frequent."""
    label = torch.multinomial(torch.tensor([0.1, 0.1, 0.1, 0.1, 0.6]), count, replacement=True)
    image = 0.5 * torch.randn(count, 1, 8, 8)
    for number, corner in enumerate(label.tolist()):
        if corner < 4:
            row, column = corner // 2 * 5, corner % 2 * 5
            image[number, 0, row : row + 3, column : column + 3] += 1.0
    return image, label


def classification_loss(scores, labels):
    probability = F.softmax(scores, dim=0)
    picked = probability[torch.arange(len(labels)), labels]
    return -torch.log(picked + 1e-9).mean()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(113)
    images, labels = corners(1500)
    test_images, test_labels = corners(300)
    model = CornerNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(8):
        for rows in torch.randperm(len(images)).split(30):
            loss = classification_loss(model(images[rows]), labels[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(test_images).argmax(1) == test_labels).float().mean().item()
        print(f"epoch {epoch} loss {loss.item():.4f} test accuracy {accuracy:.3f}")


main()
