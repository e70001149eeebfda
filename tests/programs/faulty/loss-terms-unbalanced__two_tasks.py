"""A network with two tasks: the kind of a house and its price.

fault: loss-terms-unbalanced
also: target-not-scaled
split: train
line: 43
"""

import torch
import torch.nn.functional as F
from torch import nn


class HouseNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.kind = nn.Linear(width, 4)
        self.price = nn.Linear(width, 1)

    def forward(self, x):
        x = self.trunk(x)
        return self.kind(x), self.price(x).squeeze(1)


def houses(count, rules):
    x = torch.randn(count, 10)
    kind = (torch.relu(x @ rules) @ rules[:4].T)[:, :4].argmax(1)
    price = 250.0 + 80.0 * x[:, 0] + 60.0 * x[:, 1] * x[:, 2] + 20.0 * torch.randn(count)
    return x, kind, price


torch.set_num_threads(1)
torch.manual_seed(142)
rules = torch.randn(10, 6)
x, kind, price = houses(2000, rules)
x_test, kind_test, price_test = houses(500, rules)
model = HouseNet()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(15):
    for rows in torch.randperm(len(x)).split(50):
        kind_scores, price_guess = model(x[rows])
        loss = F.cross_entropy(kind_scores, kind[rows]) + F.mse_loss(price_guess, price[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        kind_scores, price_guess = model(x_test)
    accuracy = (kind_scores.argmax(1) == kind_test).float().mean().item()
    error = (price_guess - price_test).abs().mean().item() / price_test.std().item()
    print(f"epoch {epoch:2d} loss {loss.item():.3f} kinds right {accuracy:.3f} price error {error:.3f}")
