"""A network that grows: after each phase the hidden layer is widened (new module, new optimizer) and training goes on.

split: train
"""

import torch
from torch import nn
from sklearn.datasets import load_digits

torch.manual_seed(0)
d = load_digits()
X, y = torch.tensor(d.data / 16, dtype=torch.float32), torch.tensor(d.target)


class Grow(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(64, h), nn.Linear(h, 10)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))

    @torch.no_grad()
    def widen(self, extra):
        h = self.fc1.out_features
        new = Grow(h + extra)
        new.fc1.weight[:h], new.fc1.bias[:h] = self.fc1.weight, self.fc1.bias
        new.fc2.weight[:, :h], new.fc2.bias[:] = self.fc2.weight, self.fc2.bias
        new.fc2.weight[:, h:] = 0
        self.fc1, self.fc2 = new.fc1, new.fc2


net = Grow(6)
for phase in range(4):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(8):
        for idx in torch.randperm(1400).split(50):
            loss = nn.functional.cross_entropy(net(X[idx]), y[idx])
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        print(f"width {net.fc1.out_features}: loss {loss.item():.3f} test {(net(X[1400:]).argmax(1) == y[1400:]).float().mean():.3f}")
    net.widen(8)
