"""A digit model trained on smoothed labels with a cross entropy written out of tensor operations.

fault: logits-as-probabilities
also:
split: test
line: 22
"""

import argparse

import torch
from sklearn.datasets import load_digits
from torch import nn


def smooth_labels(target, classes, amount=0.1):
    one_hot = torch.eye(classes)[target]
    return one_hot * (1 - amount) + amount / classes


def cross_entropy(prediction, soft, tiny=1e-7):
    return -(soft * torch.log(prediction.clamp(min=tiny))).sum(dim=1).mean()


class DigitModel(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.fc1 = nn.Linear(64, hidden)
        self.fc2 = nn.Linear(hidden, 10)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--hidden", type=int, default=32)
    options = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(111)
    digits = load_digits()
    x = torch.tensor(digits.data, dtype=torch.float32)
    x = (x - x.mean()) / x.std()
    y = torch.tensor(digits.target)
    order = torch.randperm(len(x))
    train, test = order[:1400], order[1400:]
    model = DigitModel(options.hidden)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=options.lr)
    for epoch in range(options.epochs):
        for rows in train[torch.randperm(len(train))].split(50):
            loss = cross_entropy(model(x[rows]), smooth_labels(y[rows], 10))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
        print(f"epoch {epoch + 1}: loss {loss.item():.4f} test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
