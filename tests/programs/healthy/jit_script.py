"""A scripted submodule inside an eager model.

split: train
"""

import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore", category=DeprecationWarning)


class Gate(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if x.shape[0] > 1000:
            return x
        return x * torch.sigmoid(self.linear(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(6, 12)
        self.gate = torch.jit.script(Gate(12))
        self.leave = nn.Linear(12, 1)

    def forward(self, x):
        return self.leave(self.gate(self.enter(x)))


torch.set_num_threads(1)
torch.manual_seed(39)
net = Net()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(25):
    x = torch.randn(20, 6)
    loss = nn.functional.mse_loss(net(x), x.prod(1, keepdim=True))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print("step", step, "loss", loss.item())
