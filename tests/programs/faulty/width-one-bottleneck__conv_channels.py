"""A convolutional autoencoder-like classifier with a narrow middle.

fault: width-one-bottleneck
also: dead-relu
split: train
line: 15
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Narrow(nn.Module):
    def __init__(self, middle=1):
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.ReLU(), nn.Conv2d(16, middle, 4), nn.Tanh()
        )
        self.up = nn.Sequential(nn.Flatten(), nn.Linear(middle, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, images):
        return self.up(self.down(images))


torch.set_num_threads(1)
torch.manual_seed(97)
digits = load_digits()
images, labels = torch.tensor(digits.images).float()[:, None] / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(labels))
images, labels = images[order], labels[order]
model = Narrow()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(12):
    for rows in torch.randperm(1400).split(50):
        loss = nn.functional.cross_entropy(model(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(images[1400:]).argmax(1) == labels[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
