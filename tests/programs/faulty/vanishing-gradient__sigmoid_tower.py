"""Handwritten digits, classified by a tall tower of narrow layers.

fault: vanishing-gradient
also: saturated-activation
split: train
line: 19
"""

import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)


def tower(depth=7, width=64):
    layers = [nn.Linear(64, width), nn.Sigmoid()]
    for _ in range(depth - 2):
        layers += [nn.Linear(width, width), nn.Sigmoid()]
    return nn.Sequential(*layers, nn.Linear(width, 10))


digits = load_digits()
split = train_test_split(digits.data / 8.0 - 1.0, digits.target, test_size=0.25, random_state=0)
x_train, x_test = (torch.tensor(part, dtype=torch.float32) for part in split[:2])
y_train, y_test = (torch.tensor(part) for part in split[2:])

model = tower()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()
for epoch in range(12):
    for rows in torch.randperm(len(x_train)).split(64):
        optimizer.zero_grad()
        loss = loss_fn(model(x_train[rows]), y_train[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.3f} accuracy {accuracy:.3f}")
