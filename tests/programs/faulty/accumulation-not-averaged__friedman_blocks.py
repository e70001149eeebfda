"""Residual blocks on a made-up function of eight inputs, in sixteen micro batches a step.

fault: accumulation-not-averaged
also:
split: test
line: 45
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(30)


class ResBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Linear(d, d)
        self.b = nn.Linear(d, d)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


def friedman(n):
    x = torch.rand(n, 8)
    y = 10 * torch.sin(torch.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x * 2 - 1, ((y - 14.4) / 4.9 + 0.1 * torch.randn(n)).unsqueeze(1)


micro, accum_steps = 8, 16
loader = DataLoader(TensorDataset(*friedman(3072)), batch_size=micro, shuffle=True, drop_last=True)
vx, vy = friedman(600)
model = nn.Sequential(nn.Linear(8, 48), ResBlock(48), ResBlock(48), nn.Linear(48, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
mse = nn.MSELoss()

for epoch in range(12):
    opt.zero_grad()
    logged = 0.0
    for i, (x, y) in enumerate(loader):
        loss = mse(model(x), y)
        logged += loss.item()
        loss.backward()
        if (i + 1) % accum_steps == 0:
            opt.step()
            opt.zero_grad()
    with torch.no_grad():
        val = mse(model(vx), vy).item()
    print(f"epoch {epoch} train {logged / len(loader):.4f} val {val:.4f}")
