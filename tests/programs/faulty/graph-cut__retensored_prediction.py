"""Predicts the fuel use of made-up cars from weight, power and age.

fault: graph-cut
also:
split: test
line: 35
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

n = 1200
weight = torch.rand(n) * 2 - 1
power = torch.rand(n) * 2 - 1
age = torch.rand(n) * 2 - 1
cars = torch.stack([weight, power, age], dim=1)
fuel = (weight * 1.5 + power**2 - 0.5 * age * weight + 0.05 * torch.randn(n)).unsqueeze(1)
train_x, test_x = cars[:1000], cars[1000:]
train_y, test_y = fuel[:1000], fuel[1000:]

net = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.005)

for epoch in range(15):
    permutation = torch.randperm(1000)
    losses = []
    for i in range(0, 1000, 50):
        rows = permutation[i : i + 50]
        optimizer.zero_grad()
        prediction = net(train_x[rows])
        prediction = torch.tensor(prediction.tolist(), requires_grad=True)
        loss = loss_fn(prediction, train_y[rows])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch + 1:2d}  loss {sum(losses) / len(losses):.4f}")

with torch.no_grad():
    error = loss_fn(net(test_x), test_y)
print(f"test mse {error:.4f}, variance of the targets {test_y.var():.4f}")
