"""Four small batches make one update: the loss is divided, the optimizer steps every fourth backward.

split: train
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)

ACCUMULATE = 4
model = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
loss_fn = nn.MSELoss()

x = torch.randn(320, 10)
y = x.sin().sum(1, keepdim=True)
batches = list(zip(x.split(4), y.split(4), strict=True))

optimizer.zero_grad()
for i, (xb, yb) in enumerate(batches):
    loss = loss_fn(model(xb), yb) / ACCUMULATE
    loss.backward()
    print("micro loss", loss.item())
    if (i + 1) % ACCUMULATE == 0:
        optimizer.step()
        optimizer.zero_grad()
