"""A quantity of varying size predicted from sensor values.

fault: misplaced-batch-norm
also:
split: train
line: 20
"""

import torch
from torch import nn


class Predictor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
        self.norm = nn.BatchNorm1d(1)

    def forward(self, x):
        return self.norm(self.body(x))


def days(count):
    """Values of one day lie close together; a batch holds one day."""
    level = 2 * torch.randn(count, 1, 1)
    x = torch.cat([level.expand(count, 20, 1), torch.randn(count, 20, 4)], -1)
    return x, x[..., :1] + 0.3 * (x[..., 1:2] * x[..., 2:3])


torch.set_num_threads(1)
torch.manual_seed(130)
x, y = days(200)
x_test, y_test = (part.flatten(0, 1) for part in days(50))
model = Predictor()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(8):
    model.train()
    for day in torch.randperm(len(x)):
        loss = nn.functional.mse_loss(model(x[day]), y[day])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        error = nn.functional.mse_loss(model(x_test), y_test).item()
    print(f"epoch {epoch} loss {loss.item():.4f} test {error:.4f}")
