"""A regression network whose rate is reduced when the loss of a batch stops falling.

fault: loss-plateau
also: learning-rate-too-low, scheduler-too-often
split: test
line: 23
"""

import torch
from torch import nn


def data(count):
    x = torch.randn(count, 6)
    y = torch.sin(2 * x[:, :1]) + x[:, 1:2] * x[:, 2:3] + 0.05 * torch.randn(count, 1)
    return x, y


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer, factor=0.3, patience=1)

    def run(self, x, y, steps):
        for step in range(1, steps + 1):
            rows = torch.randint(0, len(x), (64,))
            loss = (self.model(x[rows]) - y[rows]).square().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.plateau.step(loss.item())
            if step % 100 == 0:
                print(f"step {step} loss {loss.item():.4f}")


torch.set_num_threads(1)
torch.manual_seed(463)
x, y = data(3000)
x_test, y_test = data(500)
model = nn.Sequential(nn.Linear(6, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
Trainer(model, 5e-3).run(x, y, 600)
with torch.no_grad():
    print("test error", round((model(x_test) - y_test).square().mean().item(), 4))
