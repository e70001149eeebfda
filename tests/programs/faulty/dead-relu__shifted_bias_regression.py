"""A curve fitted by a network whose biases start at a chosen value.

fault: dead-relu
also: output-activation, vanishing-gradient
split: test
line: 24
"""

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(52)


class Net(nn.Module):
    def __init__(self, width=40):
        super().__init__()
        self.l1 = nn.Linear(4, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)
        for layer in (self.l1, self.l2):
            nn.init.kaiming_normal_(layer.weight)
            nn.init.constant_(layer.bias, -10.0)

    def forward(self, x):
        return self.l3(torch.relu(self.l2(torch.relu(self.l1(x)))))


x = torch.randn(1500, 4)
y = (x[:, :1] * x[:, 1:2] + x[:, 2:3].abs()).tanh()
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
for epoch in range(20):
    for rows in torch.randperm(1200).split(40):
        loss = (net(x[rows]) - y[rows]).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch % 4 == 3:
        with torch.no_grad():
            error = ((net(x[1200:]) - y[1200:]) ** 2).mean()
        print(f"epoch {epoch + 1} R2 {1 - error / y[1200:].var():.3f}")
