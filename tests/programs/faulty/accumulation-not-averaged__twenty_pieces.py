"""A regression with SGD that emulates a large batch by twenty pieces.

fault: accumulation-not-averaged
also: learning-rate-too-high
split: test
line: 23
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)
ACCUMULATE = 20
x = torch.randn(2400, 8)
y = torch.sin(x[:, :1]) + x[:, 1:2] * x[:, 2:3]
net = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
for epoch in range(30):
    optimizer.zero_grad()
    for i, rows in enumerate(torch.randperm(2000).split(10), 1):
        loss = nn.functional.mse_loss(net(x[rows]), y[rows])
        loss.backward()
        if i % ACCUMULATE == 0:
            optimizer.step()
            optimizer.zero_grad()
    if epoch % 5 == 4:
        with torch.no_grad():
            error = nn.functional.mse_loss(net(x[2000:]), y[2000:])
        print(f"epoch {epoch + 1} loss {loss.item():.4f} test R2 {1 - error / y[2000:].var():.3f}")
