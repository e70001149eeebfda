"""A recurrent network that tells rising from falling series, with Nesterov momentum.

fault: odd-momentum
also: learning-rate-too-high
split: test
line: 41
"""

import torch
from torch import nn
from torch.nn import functional as F


class Trend(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(1, 24, batch_first=True)
        self.head = nn.Linear(24, 2)

    def forward(self, series):
        states, _ = self.rnn(series)
        return self.head(states[:, -1])


def series(count, length=15):
    slope = torch.randn(count, 1) * 0.1
    values = slope * torch.arange(length) + 0.3 * torch.randn(count, length)
    return values.unsqueeze(-1), (slope[:, 0] > 0).long()


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(1) == y).float().mean().item()


torch.set_num_threads(1)
torch.manual_seed(443)
x, y = series(1000)
x_test, y_test = series(400)
model = Trend()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9995, nesterov=True)
for epoch in range(8):
    for rows in torch.randperm(1000).split(25):
        loss = F.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy(model, x_test, y_test):.3f}")
