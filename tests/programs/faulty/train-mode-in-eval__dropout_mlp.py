"""A digit MLP with dropout and a validation pass after every epoch.

fault: train-mode-in-eval
also:
split: train
line: 31
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 96)
        self.fc2 = nn.Linear(96, 96)
        self.fc3 = nn.Linear(96, 10)
        self.drop = nn.Dropout(0.6)

    def forward(self, x):
        x = self.drop(torch.relu(self.fc1(x)))
        x = self.drop(torch.relu(self.fc2(x)))
        return self.fc3(x)


def validate(model, x, y):
    with torch.no_grad():
        logits = model(x)
        return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(53)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32) / 8 - 1
    y = torch.tensor(digits.target)
    order = torch.randperm(len(x))
    train, val = order[:1400], order[1400:]
    model = Net()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(12):
        model.train()
        for rows in train[torch.randperm(len(train))].split(50):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()
        val_loss, val_accuracy = validate(model, x[val], y[val])
        print(f"epoch {epoch:2d} train {loss.item():.3f} val {val_loss:.3f} accuracy {val_accuracy:.3f}")


main()
