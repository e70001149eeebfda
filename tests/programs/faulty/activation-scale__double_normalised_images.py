"""A convolutional network that scales images itself before it classifies them.

fault: activation-scale
also: input-not-scaled
split: train
line: 28
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1, bias=False),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, bias=False),
            nn.ReLU(),
        )
        self.head = nn.Linear(32 * 4, 10)

    def forward(self, images):
        features = self.features(images)
        return self.head(features.flatten(1) / 255)


torch.set_num_threads(1)
torch.manual_seed(6)
digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
images = (images - images.mean()) / images.std()
labels = torch.tensor(digits.target)
order = torch.randperm(len(labels))
train, test = order[:1400], order[1400:]
model = Classifier()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    for rows in train[torch.randperm(len(train))].split(64):
        optimizer.zero_grad()
        loss = criterion(model(images[rows]), labels[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(images[test]).argmax(1) == labels[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
