"""A surface fitted with Adam.

fault: excessive-weight-decay
also:
split: test
line: 17
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(48)
x = torch.rand(1500, 2) * 4 - 2
y = torch.sin(2 * x[:, :1]) * x[:, 1:]
net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
settings = {"lr": 3e-3, "weight_decay": 1.0}
optimizer = torch.optim.Adam(net.parameters(), **settings)
loss_fn = nn.MSELoss()
for epoch in range(20):
    for rows in torch.randperm(1200).split(40):
        optimizer.zero_grad()
        loss = loss_fn(net(x[rows]), y[rows])
        loss.backward()
        optimizer.step()
    if epoch % 4 == 3:
        with torch.no_grad():
            error = loss_fn(net(x[1200:]), y[1200:])
        print(f"epoch {epoch + 1} test R2 {1 - error / y[1200:].var():.3f}")
