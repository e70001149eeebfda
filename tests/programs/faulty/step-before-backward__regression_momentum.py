"""A regression with a hand-written loss and SGD with momentum, all in one script.

fault: step-before-backward
also: gradients-zeroed-before-step
split: train
line: 26
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(10)
x = torch.randn(2000, 6)
y = (x[:, :1] * x[:, 1:2] + torch.sin(2 * x[:, 2:3]) + 0.5 * x[:, 3:4]) / 1.4
x_val, y_val = x[1600:], y[1600:]

net = nn.Sequential(nn.Linear(6, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for i in range(500):
    rows = torch.randint(0, 1600, (64,))
    prediction = net(x[rows])
    loss = (prediction - y[rows]).pow(2).mean()
    opt.zero_grad()
    opt.step()
    loss.backward()
    if i % 50 == 0:
        with torch.no_grad():
            val = (net(x_val) - y_val).pow(2).mean()
        print(f"{i:4d} train {loss.item():.4f} val {val.item():.4f}")
