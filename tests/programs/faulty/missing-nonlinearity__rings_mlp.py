"""Points on concentric rings, told apart by a network of several layers.

fault: missing-nonlinearity
also: too-small-model
split: train
line: 21
"""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, hidden=64):
        super().__init__()
        self.fc1 = nn.Linear(2, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.fc3 = nn.Linear(hidden, 3)

    def forward(self, x):
        x = self.fc1(x)
        x = self.fc2(x)
        return self.fc3(x)


def rings(count):
    kind = torch.randint(0, 3, (count,))
    angle = 6.283 * torch.rand(count)
    radius = 0.6 * (kind + 1) + 0.1 * torch.randn(count)
    return torch.stack([radius * angle.cos(), radius * angle.sin()], 1), kind


torch.set_num_threads(1)
torch.manual_seed(7)
x, y = rings(2000)
x_test, y_test = rings(500)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(12):
    for rows in torch.randperm(len(x)).split(50):
        optimizer.zero_grad()
        loss = criterion(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (net(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch}: loss {loss.item():.4f} accuracy {accuracy:.3f}")
