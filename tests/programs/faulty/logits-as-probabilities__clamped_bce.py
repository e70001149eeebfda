"""A CNN that looks for a blob in noise, with binary cross entropy on clamped outputs.

fault: logits-as-probabilities
also:
split: train
line: 41
"""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class BlobFinder(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 8, 3, padding=1), nn.ReLU()
        )
        self.score = nn.Linear(8 * 25, 1)

    def forward(self, image):
        score = self.score(self.features(image).flatten(1)).squeeze(1)
        return score.clamp(1e-6, 1 - 1e-6)


def make_images(count):
    label = (torch.rand(count) < 0.5).float()
    image = 0.5 * torch.randn(count, 1, 10, 10)
    for number in label.nonzero().squeeze(1).tolist():
        row, column = torch.randint(0, 8, (2,)).tolist()
        image[number, 0, row : row + 3, column : column + 3] += 1.2
    return image, label


def train(model, loader, epochs, images, labels):
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        for image, label in loader:
            loss = F.binary_cross_entropy(model(image), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = ((model(images) > 0.5).float() == labels).float().mean().item()
        print(f"epoch {epoch}: loss {loss.item():.4f} accuracy {accuracy:.3f}")


torch.set_num_threads(1)
torch.manual_seed(110)
train(BlobFinder(), DataLoader(TensorDataset(*make_images(1200)), 40, shuffle=True), 8, *make_images(300))
