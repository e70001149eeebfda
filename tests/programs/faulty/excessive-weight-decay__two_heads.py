"""Digits and their parity from one trunk with two heads.

fault: excessive-weight-decay
also:
split: train
line: 33
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 96), nn.Tanh(), nn.Linear(96, 48), nn.Tanh())
        self.digit = nn.Linear(48, 10)
        self.parity = nn.Linear(48, 2)

    def forward(self, x):
        h = self.trunk(x)
        return self.digit(h), self.parity(h)


torch.set_num_threads(1)
torch.manual_seed(219)
data = load_digits()
x, y = torch.tensor(data.data / 8 - 1, dtype=torch.float32), torch.tensor(data.target)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]
model = TwoHeads()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=0.5)
for epoch in range(25):
    for rows in train[torch.randperm(len(train))].split(35):
        digit, parity = model(x[rows])
        loss = nn.functional.cross_entropy(digit, y[rows]) + 0.5 * nn.functional.cross_entropy(parity, y[rows] % 2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 5 == 4:
        with torch.no_grad():
            right = (model(x[test])[0].argmax(1) == y[test]).float().mean().item()
        print(f"epoch {epoch + 1} loss {loss.item():.4f} digits right {right:.4f}")
