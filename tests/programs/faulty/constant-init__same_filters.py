"""A convolutional network with hand-set first filters.

fault: constant-init
also:
split: test
line: 26
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


def build():
    net = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 10),
    )
    for layer in (net[0], net[3]):
        layer.weight.data = torch.ones_like(layer.weight) / layer.weight[0].numel()
    return net


torch.set_num_threads(1)
torch.manual_seed(19)
digits = load_digits()
images, labels = torch.tensor(digits.images).float().unsqueeze(1) / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(labels))
images, labels = images[order], labels[order]
net = build()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(6):
    for rows in torch.randperm(1400).split(64):
        loss = nn.functional.cross_entropy(net(images[rows]), labels[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (net(images[1400:]).argmax(1) == labels[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
