"""A digit MLP whose layers start from a normal distribution.

fault: initial-loss-off
also: badly-scaled-init
split: train
line: 22
"""

import torch
from sklearn.datasets import load_digits
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(139)
digits = load_digits()
x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
y = torch.tensor(digits.target)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]

model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))
nn.init.normal_(model[2].weight, std=2.0)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

for epoch in range(8):
    total = 0.0
    for rows in train[torch.randperm(len(train))].split(25):
        loss = criterion(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(rows)
    with torch.no_grad():
        logits = model(x[test])
    accuracy = (logits.argmax(1) == y[test]).float().mean().item()
    print(
        f"epoch {epoch}: loss {total / 1400:.4f} test {criterion(logits, y[test]).item():.4f} accuracy {accuracy:.3f}"
    )
