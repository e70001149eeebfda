"""A Poisson model of counts whose rates are exponentials of a network's output.

fault: overflow
also: non-finite-value, learning-rate-too-high, input-not-scaled, features-of-different-scale
split: train
line: 29
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(304)

exposure = torch.rand(3000, 1) * 400
group = torch.randint(0, 5, (3000,))
rate = torch.exp(0.2 * group.float() - 0.5) * (1 + exposure[:, 0] / 400)
counts = torch.poisson(rate)
inputs = torch.cat([nn.functional.one_hot(group, 5).float(), exposure], 1)

model = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for epoch in range(10):
    order = torch.randperm(len(inputs))
    for i in range(0, len(inputs), 50):
        rows = order[i : i + 50]
        optimizer.zero_grad()
        logarithm = model(inputs[rows]).squeeze(1)
        predicted = torch.exp(logarithm)
        loss = (predicted - counts[rows] * logarithm).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
