"""Colour images that come with their channels last, for a convolutional network.

fault: scrambled-axes
also:
split: train
line: 39
"""

import torch
from torch import nn


def images(count, size=12):
    kind = torch.randint(0, 4, (count,))
    pictures = 0.4 * torch.randn(count, size, size, 3)
    row, column = torch.randint(1, size - 4, (2, count))
    for i in range(count):
        channel = int(kind[i]) % 2
        if kind[i] < 2:
            pictures[i, row[i] : row[i] + 2, 1:-1, channel] += 1.0
        else:
            pictures[i, 1:-1, column[i] : column[i] + 2, channel] += 1.0
    return pictures, kind


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 12, 3, padding=1),
            nn.ReLU(),
            nn.Conv2d(12, 16, 3, padding=1),
            nn.ReLU(),
            nn.AdaptiveMaxPool2d(1),
        )
        self.head = nn.Linear(16, 4)

    def forward(self, pictures):
        x = pictures.view(-1, 3, 12, 12)
        return self.head(self.features(x).flatten(1))


torch.set_num_threads(1)
torch.manual_seed(110)
x, y = images(1000)
x_test, y_test = images(400)
model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(8):
    for rows in torch.randperm(len(x)).split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
