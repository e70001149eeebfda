"""A convolutional network with a separate head, trained from scratch on digits.

fault: frozen-parameter
also:
split: train
line: 32
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class DigitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 6, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Conv2d(6, 8, 3, stride=2, padding=1),
            nn.ReLU(),
            nn.Flatten(),
        )
        self.head = nn.Linear(32, 10)

    def forward(self, images):
        return self.head(self.backbone(images))


def prepare(model):
    for parameter in model.backbone.parameters():
        parameter.requires_grad = False
    return torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)


torch.set_num_threads(1)
torch.manual_seed(13)
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 8 - 1
labels = torch.tensor(digits.target)
order = torch.randperm(len(labels))
train, test = order[:1400], order[1400:]
model = DigitNet()
optimizer = prepare(model)
for epoch in range(15):
    for rows in train[torch.randperm(1400)].split(64):
        loss = nn.functional.cross_entropy(model(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(images[test]).argmax(1) == labels[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
