"""Digits by a convolutional network.

fault: output-activation
also: dead-relu
split: train
line: 25
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3, padding=1)
        self.fc1 = nn.Linear(16 * 16, 64)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv(x)), 2).flatten(1)
        x = F.relu(self.fc1(x))
        return F.relu(self.fc2(x))


torch.set_num_threads(1)
torch.manual_seed(100)
digits = load_digits()
x, y = torch.tensor(digits.images).float()[:, None] / 8 - 1, torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(6):
    for rows in torch.randperm(1400).split(50):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[1400:]).argmax(1) == y[1400:]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
