"""Fine-tuning with the batch-norm layers kept in eval mode, as detection frameworks do, after a first training.

split: test
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(23)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(16)
        self.conv2 = nn.Conv2d(16, 32, 3, stride=2, padding=1)
        self.bn2 = nn.BatchNorm2d(32)
        self.head = nn.Linear(32 * 16, 5)
        self.freeze_bn = False

    def train(self, mode=True):
        super().train(mode)
        if self.freeze_bn:
            self.bn1.eval()
            self.bn2.eval()
        return self

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.relu(self.bn2(self.conv2(x)))
        return self.head(x.flatten(1))


def fit(model, x, y, epochs, lr, batch=32):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for _ in range(epochs):
        model.train()
        for rows in torch.randperm(len(x)).split(batch):
            loss = F.cross_entropy(model(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(digits.target)
low, high = y < 5, y >= 5
model = Net()
fit(model, x[low][:700], y[low][:700], 6, 1e-3)
print("first task", accuracy(model, x[low][700:], y[low][700:]))
model.head = nn.Linear(32 * 16, 5)
model.freeze_bn = True
fit(model, x[high][:400], y[high][:400] - 5, 6, 5e-4, batch=8)
print("second task", accuracy(model, x[high][400:], y[high][400:] - 5))
