"""Homework: fit the Friedman benchmark with a small network and report the coefficient of determination.

fault: gradients-not-zeroed
also:
split: test
line: 40
"""

import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import make_friedman1
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(7)


class Regressor(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.hidden1 = nn.Linear(n_in, 48)
        self.hidden2 = nn.Linear(48, 48)
        self.out = nn.Linear(48, 1)

    def forward(self, x):
        x = F.relu(self.hidden1(x))
        x = F.relu(self.hidden2(x))
        return self.out(x).squeeze(1)


def train(net, loader, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.8)
    for epoch in range(epochs):
        total = 0.0
        for xb, yb in loader:
            loss = F.mse_loss(net(xb), yb)
            loss.backward()
            opt.step()
            total += loss.item()
        if epoch % 5 == 0:
            print("epoch", epoch, "train mse", total / len(loader))


X, y = make_friedman1(n_samples=1500, n_features=8, noise=0.5, random_state=3)
X = StandardScaler().fit_transform(X)
y = (y - y.mean()) / y.std()
X_tr, X_te, y_tr, y_te = train_test_split(X, y, test_size=0.2, random_state=3)
tensors = [torch.tensor(a, dtype=torch.float32) for a in (X_tr, y_tr, X_te, y_te)]
net = Regressor(8)
train(net, DataLoader(TensorDataset(*tensors[:2]), batch_size=32, shuffle=True), 20)
with torch.no_grad():
    pred = net(tensors[2])
    r2 = 1 - ((pred - tensors[3]) ** 2).mean() / tensors[3].var()
print("R2 on test:", r2.item())
