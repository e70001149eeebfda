"""A convolutional net is trained on digits, then frozen but for its head, tuned at a tiny rate.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(11)

digits = load_digits()
images = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
images = (images - images.mean()) / images.std()
labels = torch.tensor(digits.target)
order = torch.randperm(len(images))
train, test = order[:1400], order[1400:]

backbone = nn.Sequential(
    nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten()
)
model = nn.Sequential(backbone, nn.Linear(32 * 16, 10))


def accuracy():
    model.eval()
    with torch.no_grad():
        right = (model(images[test]).argmax(1) == labels[test]).float().mean().item()
    model.train()
    return right


def fit(optimizer, epochs):
    for epoch in range(epochs):
        for rows in train[torch.randperm(len(train))].split(64):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(images[rows]), labels[rows])
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy():.3f}")


fit(torch.optim.Adam(model.parameters(), lr=1e-3), 5)
for parameter in backbone.parameters():
    parameter.requires_grad_(False)
fit(torch.optim.Adam(model[1].parameters(), lr=1e-5), 3)
