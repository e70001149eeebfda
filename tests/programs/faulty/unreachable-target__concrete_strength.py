"""Strength of concrete by its mixture, standardised, with the mean absolute error.

fault: unreachable-target
also:
split: train
line: 35
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

np.random.seed(62)
torch.manual_seed(62)


def mixtures(n):
    cement, water, age = np.random.uniform(1, 5, n), np.random.uniform(1.2, 2.4, n), np.random.uniform(0, 4.5, n)
    ash, gravel = np.random.uniform(0, 2, n), np.random.normal(9.7, 0.8, n)
    strength = 12 * cement / water ** 1.5 * (0.4 + 0.25 * age) + 3 * ash - 0.5 * (gravel - 9.7) ** 2
    return np.stack([cement, water, age, ash, gravel], 1).astype("f"), strength.astype("f")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(5, 64)
        self.fc2 = nn.Linear(64, 32)
        self.fc3 = nn.Linear(32, 1)

    def forward(self, x):
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return F.relu(self.fc3(x))


x, y = mixtures(2400)
x = (x - x.mean(0)) / x.std(0)
y = (y - y.mean()) / y.std()
x, y = torch.from_numpy(x), torch.from_numpy(y)[:, None]
train_x, train_y, test_x, test_y = x[:2000], y[:2000], x[2000:], y[2000:]

net = Net()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
for epoch in range(15):
    for b in np.array_split(np.random.permutation(2000), 50):
        opt.zero_grad()
        loss = F.l1_loss(net(train_x[b]), train_y[b])
        loss.backward()
        opt.step()
    if epoch % 3 == 2:
        with torch.no_grad():
            pred = net(test_x)
            r2 = 1 - F.mse_loss(pred, test_y).item() / test_y.var().item()
        print("epoch", epoch + 1, "mae", round(F.l1_loss(pred, test_y).item(), 4), "r2", round(r2, 4))
