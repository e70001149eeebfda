"""Handwritten digits with a wide network and Adam; prints the accuracy on the pictures that are left.

fault: too-few-examples
also: overfitting
split: train
line: 19
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(224)
digits = load_digits()
x = torch.tensor(digits.data / 8 - 1, dtype=torch.float32)
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
train, test = order[:30], order[1400:]

model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(20):
    for rows in train[torch.randperm(len(train))].split(10):
        loss = criterion(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        logits = model(x[test])
    accuracy = (logits.argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} test {criterion(logits, y[test]).item():.4f} accuracy {accuracy:.3f}")
