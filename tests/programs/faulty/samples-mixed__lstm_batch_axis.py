"""An LSTM that says which quarter of a sequence has the largest sum.

fault: samples-mixed
also: scrambled-axes
split: train
line: 16
"""

import torch
from torch import nn


class Quarters(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.lstm = nn.LSTM(2, width)
        self.head = nn.Linear(width, 4)

    def forward(self, sequences):
        states, _ = self.lstm(sequences)
        return self.head(states[:, -1])


def make(count):
    values = torch.rand(count, 12)
    clock = torch.arange(12).float().expand(count, 12) / 12
    return torch.stack([values, clock], -1), values.view(count, 4, 3).sum(-1).argmax(1)


torch.set_num_threads(1)
torch.manual_seed(6)
model = Quarters()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
x, y = make(2000)
x_test, y_test = make(500)
for epoch in range(12):
    for rows in torch.randperm(len(x)).split(50):
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        accuracy = (model(x_test).argmax(1) == y_test).float().mean().item()
    print(f"epoch {epoch} loss {loss.item():.4f} accuracy {accuracy:.3f}")
