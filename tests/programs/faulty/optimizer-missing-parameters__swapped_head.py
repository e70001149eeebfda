"""A net that gets a new head for other digits.

fault: optimizer-missing-parameters
also: 
split: test
line: 69
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

torch.set_num_threads(1)
torch.manual_seed(19)


class DigitNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 24, 3, padding=1), nn.ReLU(),
            nn.Conv2d(24, 48, 3, padding=1, stride=2), nn.ReLU(),
            nn.Flatten(), nn.Linear(48 * 16, 96), nn.ReLU())
        self.fc = nn.Linear(96, n_classes)

    def forward(self, x):
        return self.fc(self.features(x))


def load(digits):
    X, y = load_digits(return_X_y=True)
    keep = torch.tensor([int(v) in digits for v in y])
    x = (torch.tensor(X, dtype=torch.float32).view(-1, 1, 8, 8)[keep] - 4.9) / 6.0
    t = torch.tensor([digits.index(int(v)) for v in y if int(v) in digits])
    p = torch.randperm(len(t))
    cut = int(0.75 * len(t))
    return (x[p[:cut]], t[p[:cut]]), (x[p[cut:]], t[p[cut:]])


def accuracy(model, x, y):
    model.eval()
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


def fit(model, optimizer, train, test, epochs):
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for idx in torch.randperm(len(train[1])).split(32):
            loss = F.cross_entropy(model(train[0][idx]), train[1][idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)
        print(f"  epoch {epoch} loss {total / len(train[1]):.4f} test acc {accuracy(model, *test):.3f}")


source_train, source_test = load([0, 1, 2, 3, 4, 5])
net = DigitNet(6)
print("source task")
fit(net, torch.optim.Adam(net.parameters(), lr=1e-3), source_train, source_test, 5)

print("target task")
target_train, target_test = load([6, 7, 8, 9])
for p in net.features.parameters():
    p.requires_grad = False
optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
net.fc = nn.Linear(net.fc.in_features, 4)
fit(net, optimizer, target_train, target_test, 12)
