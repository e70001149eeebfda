"""Two phases: only a new head is trained, then everything with a new optimizer and a smaller rate.

split: train
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(102)

digits = load_digits()
x = torch.tensor(digits.images, dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(digits.target)
even, odd = y % 2 == 0, y % 2 == 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1),
            nn.BatchNorm2d(16),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3),
            nn.ReLU(),
        )
        self.head = nn.Linear(128, 5)

    def forward(self, x):
        return self.head(self.backbone(x).flatten(1))


def epochs(model, x, y, optimizer, count):
    model.train()
    for _ in range(count):
        for rows in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            loss = F.cross_entropy(model(x[rows]), y[rows])
            loss.backward()
            optimizer.step()


@torch.no_grad()
def score(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


model = Net()
epochs(model, x[even][:700], y[even][:700] // 2, torch.optim.Adam(model.parameters(), lr=2e-3), 5)
print("even digits", score(model, x[even][700:], y[even][700:] // 2))

model.head = nn.Linear(128, 5)
model.backbone.requires_grad_(False)
epochs(model, x[odd][:700], y[odd][:700] // 2, torch.optim.Adam(model.head.parameters(), lr=2e-3), 3)
print("odd digits, head only", score(model, x[odd][700:], y[odd][700:] // 2))
model.backbone.requires_grad_(True)
epochs(model, x[odd][:700], y[odd][:700] // 2, torch.optim.Adam(model.parameters(), lr=3e-4), 4)
print("odd digits, all", score(model, x[odd][700:], y[odd][700:] // 2))
