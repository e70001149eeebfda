"""A convolutional network on digits whose feature maps are dropped out, built from an argument.

fault: excessive-dropout
also:
split: train
line: 54
"""

import torch
import torch.nn.functional as F
from sklearn.datasets import load_digits
from torch import nn


class Net(nn.Module):
    def __init__(self, drop=0.2):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.conv2 = nn.Conv2d(16, 32, 3, padding=1)
        self.drop = nn.Dropout2d(drop)
        self.fc = nn.Linear(32 * 4, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = self.drop(F.max_pool2d(F.relu(self.conv2(x)), 2))
        return self.fc(x.flatten(1))


def train(model, x, y, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(epochs):
        model.train()
        for rows in torch.randperm(len(x)).split(50):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(432)
digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1)
x, y = (x - x.mean()) / x.std(), torch.tensor(digits.target)
order = torch.randperm(len(x))
x, y = x[order], y[order]
model = Net(drop=0.98)
train(model, x[:1500], y[:1500], epochs=5)
print("accuracy", round(score(model, x[1500:], y[1500:]), 3))
