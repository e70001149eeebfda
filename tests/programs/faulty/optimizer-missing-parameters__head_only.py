"""A network of two parts on digits, trained with SGD and Nesterov momentum.

fault: optimizer-missing-parameters
also:
split: train
line: 35
"""

import torch
from sklearn.datasets import load_digits
from torch import nn


class Digits(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(64, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.body(x))


torch.set_num_threads(1)
torch.manual_seed(12)
data = load_digits()
x = torch.tensor(data.data, dtype=torch.float32)
x = (x - x.mean(0)) / x.std(0).clamp(min=0.5)
y = torch.tensor(data.target)
order = torch.randperm(len(x))
train, test = order[:1400], order[1400:]

model = Digits()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.head.parameters(), lr=0.05, momentum=0.9, nesterov=True)

for epoch in range(15):
    for rows in train[torch.randperm(len(train))].split(64):
        optimizer.zero_grad()
        loss = criterion(model(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x[test]).argmax(1) == y[test]).float().mean().item()
    print(f"epoch {epoch:2d} loss {loss.item():.4f} accuracy {accuracy:.3f}")
