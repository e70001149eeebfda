"""Handwritten digits with a multilayer perceptron, shuffled once before they are divided.

fault: labels-independent-of-inputs
also:
split: train
line: 20
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(227)

digits = load_digits()
x = torch.tensor(digits.data / 8 - 1, dtype=torch.float32)
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[torch.randperm(len(y))]
x_train, y_train, x_test, y_test = x[:1400], y[:1400], x[1400:], y[1400:]

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(10):
    for rows in torch.randperm(len(x_train)).split(32):
        loss = criterion(model(x_train[rows]), y_train[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
